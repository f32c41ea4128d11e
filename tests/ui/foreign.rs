//! Arguments of other crates' types.

use sortsmith::{Segments, Sorter};

#[derive(Clone, Copy)]
struct Mine(u32);

struct Other;

fn arrays(sorter: &Sorter, other: &mut Other) {
    let _ = sorter.sort::<u32>(other); //~ E0277 Other: ArrayMut<u32>
    let _ = sorter.argsort::<u32>(other); //~ E0277 Other: DeviceArray<u32>
    let _ = Segments::<u32>::between(other, other); //~ E0277 Array<u32>
}

fn keys(sorter: &Sorter, mine: &mut Vec<Mine>) {
    let _ = sorter.sort::<Mine>(mine); //~ E0277 Mine: SortKey
    let _ = sortsmith::sort(mine); //~ E0277 Mine: SortKey
    let _ = sortsmith::argsort_binned(mine, 3); //~ E0277 Mine: BinKey
}

fn main() {}
