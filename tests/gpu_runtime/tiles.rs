//! Chosen specs, tile by tile.

use sortsmith::{BlockRadixSort, BlockSort, SortOptions, Sorter};
use sortsmith_testkit::inputs::{self, Keys};
use sortsmith_testkit::oracle;

use crate::data::{Items, gathered, task_of};
use crate::{Setting, Test};
use sortsmith::SortKey;

pub fn tests() -> Vec<Test> {
    vec![
        ("tiles::keys".to_owned(), keys),
        ("tiles::pairs".to_owned(), pairs),
        ("tiles::as_on_the_host".to_owned(), as_on_the_host),
        ("tiles::of_no_named_algorithm".to_owned(), of_no_named_algorithm),
    ]
}

/// Each tile's permutation, as positions in the array.
fn by_tiles(task: &oracle::Task, bytes: &[u8], key_bytes: usize, tile: usize) -> Vec<u32> {
    let tiles = bytes.chunks(tile * key_bytes).enumerate();
    tiles
        .flat_map(|(index, keys)| {
            let first = (index * tile) as u32;
            oracle::permutation(task, keys).into_iter().map(move |position| first + position)
        })
        .collect()
}

fn keys(setting: &Setting) {
    let stream = setting.context.new_stream().unwrap();
    let sorter = Sorter::on(&stream).unwrap();
    let tiles = BlockRadixSort::<u64>::tiles(96, 5).bits(8..40);
    let task = task_of::<u64>(&SortOptions::new().bits(8..40));
    for n in [0, 1, 479, 480, 481, 10_000] {
        let bytes = Keys::Uniform.generate(u64::KEY_TYPE, n, &mut setting.seed.rng("tiles"));
        let mut keys = Items::holding(&stream, &bytes);
        keys.call(|keys| tiles.sort(&sorter, keys)).unwrap();
        assert!(keys.read() == gathered(&bytes, 8, &by_tiles(&task, &bytes, 8, 480)), "{n}");
    }
}

fn pairs(setting: &Setting) {
    let stream = setting.context.default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    // More shared memory than a kernel has without asking.
    let tiles = BlockRadixSort::<f32, u64>::tiles(512, 16).radix_bits(6).descending();
    let task = task_of::<f32>(&SortOptions::new().descending());
    let n = 8192 * 3 + 1000;
    let bytes = Keys::Uniform.generate(f32::KEY_TYPE, n, &mut setting.seed.rng("tiles"));
    let values = inputs::values(8, n, 3);
    let (mut keys, mut with) = (Items::holding(&stream, &bytes), Items::holding(&stream, &values));
    keys.call(|keys| with.call(|values| tiles.sort_pairs(&sorter, keys, values))).unwrap();
    let positions = by_tiles(&task, &bytes, 4, 8192);
    assert!(keys.read() == gathered(&bytes, 4, &positions));
    assert!(with.read() == gathered(&values, 8, &positions));
}

fn as_on_the_host(setting: &Setting) {
    let sorter = Sorter::on(&setting.context.default_stream()).unwrap();
    let tiles = BlockRadixSort::<i16, u8>::tiles(64, 3);
    let keys: Vec<i16> = (0..1000).map(|item: i16| item.wrapping_mul(7919)).collect();
    let values: Vec<u8> = (0..1000).map(|item| item as u8).collect();
    let on_the = |sorter: &Sorter| {
        let (mut keys, mut values) = (keys.clone(), values.clone());
        tiles.sort_pairs(sorter, &mut keys, &mut values).unwrap();
        (keys, values)
    };
    assert_eq!(on_the(&sorter), on_the(&Sorter::host()));
}

/// Whatever is chosen for the device at hand, small tiles and large ones.
fn of_no_named_algorithm(setting: &Setting) {
    let stream = setting.context.default_stream();
    let sorter = Sorter::on(&stream).unwrap();
    let task = task_of::<f32>(&SortOptions::new());
    for (threads, items) in [(128, 4), (100, 7), (256, 16)] {
        let tiles = BlockSort::<f32, u32>::tiles(threads, items);
        let tile = (threads * items) as usize;
        let n = tile * 2 + 77;
        let bytes = Keys::Uniform.generate(f32::KEY_TYPE, n, &mut setting.seed.rng("tiles"));
        let values = inputs::values(4, n, 3);
        let positions = by_tiles(&task, &bytes, 4, tile);
        let (mut keys, mut with) =
            (Items::holding(&stream, &bytes), Items::holding(&stream, &values));
        keys.call(|keys| with.call(|values| tiles.sort_pairs(&sorter, keys, values))).unwrap();
        assert!(keys.read() == gathered(&bytes, 4, &positions), "{threads}x{items}");
        assert!(with.read() == gathered(&values, 4, &positions), "{threads}x{items}");
    }
}
