//! tmp
fn main() {
    for name in std::env::args().skip(1) {
        let spec: sortsmith_codegen::device::DeviceSpec = name.parse().unwrap();
        std::fs::write(
            format!("/tmp/w/dev/{name}.cu"),
            sortsmith_codegen::device::header(&spec).unwrap(),
        )
        .unwrap();
    }
}
