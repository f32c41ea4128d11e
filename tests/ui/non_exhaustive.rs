//! Enums that may grow, and a variant that may have more fields.

use sortsmith::{Backend, Error};

fn every_error(error: &Error) {
    match error {
        //~^ E0004
        Error::NoDriver { .. } | Error::NoDevice { .. } => {}
    }
}

fn every_backend(backend: &Backend) -> bool {
    match backend {
        //~^ E0004
        Backend::Host => false,
        Backend::Gpu { .. } => true,
    }
}

fn every_field(backend: &Backend) -> u32 {
    match backend {
        Backend::Gpu { ordinal: _, name: _, arch } => *arch, //~ E0638
        _ => 0,
    }
}

fn made() -> Backend {
    Backend::Gpu { ordinal: 0, name: String::new(), arch: 90 } //~ E0639
}

fn main() {}
