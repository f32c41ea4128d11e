//! The argument that only the kernels of sample sorts read.

use crate::contract::arguments::{self, ArgumentView};
use crate::contract::device::arguments::{OWN, used};

arguments::arguments! {
    /// The family's own part of [`Arguments`](crate::contract::device::arguments::Arguments).
    SampleArguments for ();
    seed: i32, "int", "Any number: it says which positions are sampled.", |()| Some(
        "Any number: it says which positions are sampled, and the result is the same for all. Keys that were chosen with knowledge of it\n\
         may make a bucket large, which takes long."
            .to_owned(),
    );
}

impl SampleArguments {
    /// As [`Arguments::own`](crate::contract::device::arguments::Arguments::own) has them.
    pub fn packed(self) -> [i32; OWN] {
        [self.seed, 0, 0]
    }
}

/// What the header has for [`Arguments::own`](crate::contract::device::arguments::Arguments::own).
pub(super) fn views() -> Vec<ArgumentView> {
    let comment = used(None).into_iter().collect();
    let mut views = arguments::members::<SampleArguments, _>(&());
    views.push(ArgumentView { comment, cuda: "int", name: "unused[2]" });
    views
}
