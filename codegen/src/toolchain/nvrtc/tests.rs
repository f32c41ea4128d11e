//! The calls of the compiler, by functions of Rust in place of its own: what they are given and what they write is seen by Miri.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

use super::*;

/// A program of the stand-in, by its own copies of what it was given.
struct Text {
    source: CString,
    headers: Vec<(CString, CString)>,
    log: Vec<u8>,
}

/// A C string of the caller's.
///
/// # Safety
///
/// It is one.
unsafe fn owned(string: *const c_char) -> CString {
    // SAFETY: as the caller guarantees.
    unsafe { CStr::from_ptr(string) }.to_owned()
}

/// As many C strings.
///
/// # Safety
///
/// There are as many.
unsafe fn all(strings: *const *const c_char, count: c_int) -> Vec<CString> {
    // SAFETY: as the caller guarantees.
    (0..count as usize).map(|index| unsafe { owned(*strings.add(index)) }).collect()
}

unsafe extern "C" fn error_string(_: c_int) -> *const c_char {
    c"a message".as_ptr()
}

unsafe extern "C" fn version(major: *mut c_int, minor: *mut c_int) -> c_int {
    // SAFETY: the caller's pointers are to integers.
    unsafe { (*major, *minor) = (13, 5) };
    NVRTC_SUCCESS
}

unsafe extern "C" fn arch_count(count: *mut c_int) -> c_int {
    // SAFETY: the caller's pointer is to an integer.
    unsafe { *count = 3 };
    NVRTC_SUCCESS
}

unsafe extern "C" fn archs(archs: *mut c_int) -> c_int {
    // SAFETY: the caller has room for as many as are reported.
    unsafe { archs.cast::<[c_int; 3]>().write([90, 75, 80]) };
    NVRTC_SUCCESS
}

unsafe extern "C" fn create(
    program: *mut Program,
    source: *const c_char,
    name: *const c_char,
    count: c_int,
    texts: *const *const c_char,
    names: *const *const c_char,
) -> c_int {
    // SAFETY: the caller's strings are C strings, and its arrays have as many.
    let (source, name, texts, names) =
        unsafe { (owned(source), owned(name), all(texts, count), all(names, count)) };
    if name.as_bytes() == b"refused" {
        return 7;
    }
    let headers = names.into_iter().zip(texts).collect();
    let text = Box::new(Text { source, headers, log: b"\0".to_vec() });
    // SAFETY: the caller's pointer is to a program.
    unsafe { *program = Box::into_raw(text).cast() };
    NVRTC_SUCCESS
}

unsafe extern "C" fn destroy(program: *mut Program) -> c_int {
    // SAFETY: the program was created, and is destroyed once.
    drop(unsafe { Box::from_raw((*program).cast::<Text>()) });
    NVRTC_SUCCESS
}

/// The log has the options and the headers.
unsafe extern "C" fn compile(
    program: Program,
    count: c_int,
    options: *const *const c_char,
) -> c_int {
    // SAFETY: the program is live, and there are as many options.
    let (text, options) = unsafe { (&mut *program.cast::<Text>(), all(options, count)) };
    let names = text.headers.iter().flat_map(|(name, text)| [name, text]);
    let words: Vec<&[u8]> = options.iter().chain(names).map(CString::as_bytes).collect();
    text.log = [words.join(&b' ').as_slice(), b"\0"].concat();
    if text.source.as_bytes() == b"wrong" { NVRTC_ERROR_COMPILATION } else { NVRTC_SUCCESS }
}

unsafe extern "C" fn log_size(program: Program, size: *mut usize) -> c_int {
    // SAFETY: the program is live, and the pointer is to an integer.
    unsafe { *size = (*program.cast::<Text>()).log.len() };
    NVRTC_SUCCESS
}

unsafe extern "C" fn log(program: Program, to: *mut c_char) -> c_int {
    // SAFETY: the program is live, and the caller has as many bytes as were reported.
    unsafe {
        let log = &(*program.cast::<Text>()).log;
        to.cast::<u8>().copy_from_nonoverlapping(log.as_ptr(), log.len());
    }
    NVRTC_SUCCESS
}

unsafe extern "C" fn no_size(_: Program, size: *mut usize) -> c_int {
    // SAFETY: the caller's pointer is to an integer.
    unsafe { *size = 0 };
    NVRTC_SUCCESS
}

unsafe extern "C" fn no_bytes(_: Program, _: *mut c_char) -> c_int {
    NVRTC_SUCCESS
}

fn api() -> Api {
    Api {
        error_string,
        version,
        arch_count,
        archs,
        create,
        destroy,
        compile,
        log_size,
        log,
        ptx_size: log_size,
        ptx: log,
        cubin_size: no_size,
        cubin: no_bytes,
    }
}

#[test]
fn programs_are_given_their_texts_and_their_results_are_copied() {
    let api = api();
    let headers = [("one.cuh", "int one;"), ("other.cuh", "")];
    let source = Source { name: "sort.cu", text: "kernel", headers: &headers };
    let program = OpenProgram::create(&api, &source).unwrap();
    assert_eq!(program.log().unwrap(), "");
    let options = ["--an=option".to_owned(), NO_CACHE.to_owned()];
    assert_eq!(program.compile(&options).unwrap(), NVRTC_SUCCESS);
    let expected = "--an=option --no-cache one.cuh int one; other.cuh ";
    assert_eq!(program.log().unwrap(), expected);
    assert_eq!(program.ptx().unwrap(), expected.as_bytes());
    assert_eq!(program.cubin().unwrap(), [0u8; 0]);

    let without = OpenProgram::create(&api, &Source::new("sort.cu", "wrong")).unwrap();
    assert_eq!(without.compile(&[]).unwrap(), NVRTC_ERROR_COMPILATION);
    assert_eq!(without.log().unwrap(), "");
    let Err(error) = OpenProgram::create(&api, &Source::new("refused", "")) else {
        panic!("it is not created");
    };
    assert!(
        matches!(&error, ToolchainError::Nvrtc { call: "nvrtcCreateProgram", code: 7, message } if message == "a message"),
        "{error}"
    );
    let nul = OpenProgram::create(&api, &Source::new("a\0", "")).map(drop);
    assert!(matches!(nul, Err(ToolchainError::Nul { offset: 1, .. })));
}

/// NVRTC by these functions. The handle is of no library, and nothing uses it.
fn nvrtc() -> Nvrtc {
    // SAFETY: the handle is neither looked into nor closed.
    let library = unsafe { libloading::os::unix::Library::from_raw(ptr::null_mut()) };
    Nvrtc {
        api: api(),
        path: PathBuf::new(),
        version: (13, 5),
        no_cache: OnceLock::new(),
        _library: ManuallyDrop::new(library.into()),
        _builtins: None,
    }
}

#[test]
fn texts_are_compiled_for_architectures_that_there_are() {
    let nvrtc = nvrtc();
    assert_eq!(nvrtc.supported_archs().unwrap(), [75, 80, 90]);
    let compile = |text, arch, format| {
        nvrtc.compile(&Source::new("sort.cu", text), &CompileOptions::new(arch, format))
    };
    let compiled = compile("kernel", 90, Format::Ptx).unwrap();
    let expected = "--gpu-architecture=compute_90 --std=c++17 --device-int128 --no-cache";
    assert_eq!((compiled.image.as_slice(), &*compiled.log), (expected.as_bytes(), expected));
    assert_eq!(compiled.into_loadable().last(), Some(&0));
    assert!(compile("kernel", 80, Format::Cubin).unwrap().into_loadable().is_empty());
    assert!(matches!(compile("wrong", 90, Format::Ptx), Err(ToolchainError::Compile { .. })));
    let error = compile("kernel", 70, Format::Ptx).unwrap_err();
    assert!(matches!(error, ToolchainError::UnsupportedArch { arch: 70, .. }), "{error}");
}
