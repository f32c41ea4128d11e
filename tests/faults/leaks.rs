//! What is not freed when everything is dropped: what cudarc loses where a call of its own fails half way, and leaks.

use std::collections::BTreeMap;

use libtest_mimic::Trial;

use crate::shim::{COUNTED, Shim};

/// What has not been freed, by its kind.
pub type Unfreed = BTreeMap<&'static str, u64>;

/// What cudarc loses where one of its calls fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cudarcs {
    Nothing,
    /// The memory of a slice: one allocation, of this number of bytes. `CudaStream::alloc` forgets it where it cannot make the slice's events.
    Slice {
        bytes: u64,
    },
    /// One reference to a primary context. `CudaContext::new` forgets it where it cannot query an attribute.
    Context,
}

impl Cudarcs {
    /// What it may lose in the first call that has failed, by the last calls of its thread.
    pub fn of_fault(shim: Shim) -> Self {
        Self::of_calls(&shim.calls_to_fault(), shim.bytes_before_fault())
    }

    /// What it may lose where the last of these calls fails, if the last allocation before it is of this number of bytes.
    fn of_calls(calls: &[String], bytes: u64) -> Self {
        /// The calls of `CudaStream::alloc` behind the allocation: two events.
        const OF_EVENTS: [&str; 4] =
            ["cuCtxGetCurrent", "cuEventCreate", "cuCtxGetCurrent", "cuEventCreate"];

        if calls.ends_with(&["cuDevicePrimaryCtxRetain", "cuDeviceGetAttribute"].map(String::from))
        {
            return Self::Context;
        }
        let allocation = calls.iter().rposition(|call| call.starts_with("cuMemAlloc"));
        let behind = allocation.map_or(&[][..], |allocation| &calls[allocation + 1..]);
        let is_of_slice = !behind.is_empty()
            && behind.len() <= OF_EVENTS.len()
            && behind.iter().zip(OF_EVENTS).all(|(call, of_event)| call == of_event);
        if is_of_slice { Self::Slice { bytes } } else { Self::Nothing }
    }

    /// The most that it leaves of a kind.
    fn most(self, kind: &str) -> u64 {
        match (self, kind) {
            (Self::Slice { .. }, "allocations") | (Self::Context, "context_references") => 1,
            (Self::Slice { bytes }, "bytes") => bytes,
            _ => 0,
        }
    }
}

/// What is left beside the most that cudarc loses: each kind with its number, and that of cudarc's.
pub fn beside(
    cudarcs: Cudarcs,
    before: &Unfreed,
    after: &Unfreed,
) -> Vec<(&'static str, i64, u64)> {
    let of = |unfreed: &Unfreed, kind| unfreed.get(kind).copied().unwrap_or(0);
    let left = COUNTED.map(|kind| {
        let left = of(after, kind).cast_signed() - of(before, kind).cast_signed();
        (kind, left, cudarcs.most(kind))
    });
    let is_explained = |left: i64, most: u64| left == 0 || left == most.cast_signed();
    left.into_iter().filter(|(_, left, most)| !is_explained(*left, *most)).collect()
}

pub fn trial() -> Trial {
    crate::trial("what_cudarc_loses_is_one_object", check_comparison)
}

fn check_comparison() {
    let of = |calls: &[&str]| {
        Cudarcs::of_calls(&calls.iter().copied().map(String::from).collect::<Vec<_>>(), 80)
    };
    let slice = Cudarcs::Slice { bytes: 80 };
    let [alloc, current, event] = ["cuMemAllocAsync", "cuCtxGetCurrent", "cuEventCreate"];
    let retain = "cuDevicePrimaryCtxRetain";
    assert_eq!(of(&["cuInit", retain, "cuDeviceGetAttribute"]), Cudarcs::Context);
    assert_eq!(of(&[retain, "cuDeviceGetAttribute", current]), Cudarcs::Nothing);
    assert_eq!(of(&[alloc, current]), slice);
    assert_eq!(of(&[alloc, current, event]), slice);
    assert_eq!(of(&[alloc, current, event, current, event]), slice);
    // A third event is not of the slice.
    assert_eq!(of(&[alloc, current, event, current, event, current]), Cudarcs::Nothing);
    assert_eq!(of(&[alloc]), Cudarcs::Nothing);
    assert_eq!(of(&[alloc, "cuMemsetD8Async", current]), Cudarcs::Nothing);
    assert_eq!(of(&[alloc, alloc, current]), slice);

    let before = Unfreed::from([("allocations", 3), ("bytes", 100)]);
    let left = |cudarcs, after: &[(&'static str, u64)]| {
        beside(cudarcs, &before, &after.iter().copied().collect())
    };
    let usual = [("allocations", 4), ("bytes", 180)];
    assert_eq!(left(slice, &[("allocations", 3), ("bytes", 100)]), []);
    assert_eq!(left(slice, &usual), []);
    assert_eq!(left(Cudarcs::Context, &usual), [("allocations", 1, 0), ("bytes", 80, 0)]);
    assert_eq!(left(slice, &[("allocations", 4), ("bytes", 140)]), [("bytes", 40, 80)]);
    assert_eq!(left(slice, &[("allocations", 5), ("bytes", 180)]), [("allocations", 2, 1)]);
    assert_eq!(left(slice, &[usual[0], usual[1], ("modules", 1)]), [("modules", 1, 0)]);
    let context =
        |references| [("context_references", references), ("allocations", 3), ("bytes", 100)];
    assert_eq!(left(Cudarcs::Context, &context(1)), []);
    assert_eq!(left(Cudarcs::Context, &context(2)), [("context_references", 2, 1)]);
    assert_eq!(left(Cudarcs::Nothing, &[]), [("allocations", -3, 0), ("bytes", -100, 0)]);
}
