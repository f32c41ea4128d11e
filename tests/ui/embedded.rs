//! Code for the device, taken without `unsafe`.

use sortsmith::embedded::Bundle;

static BUNDLE: Bundle = Bundle::new("", &[]); //~ E0133

fn main() {
    sortsmith::embedded::register(&BUNDLE);
}
