//! What sorts on the host allocate, counted by the allocator of this program, and what they do where it refuses.

#![allow(clippy::unwrap_used)] // a failed unwrap is a failed test

mod allocator;

use allocator::{LARGE, alone, bytes_now, enter_sorts, most_bytes, refusing};
use bytemuck::Zeroable;
use rayon::{ThreadPool, ThreadPoolBuilder};
use sortsmith::{Error, RunMerge, RunSorter, Segments, SortKey, SortValue, Sorter};

/// A key of no order.
fn word(item: u32) -> u32 {
    item.wrapping_mul(2_654_435_761) ^ item >> 7
}

/// Each sort is larger than the one before, so that none finds memory that another one has left.
#[test]
fn a_sort_allocates_one_copy_of_its_data_and_an_eighth() {
    let _alone = alone();
    let pool = ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    // Large sorts take complete pages of 2 MiB, and some tables.
    let bound = |bytes: usize| bytes + bytes / 8 + (9 << 18);
    for n in [1 << 20, 1 << 21, 1 << 22] {
        let classes: [fn(u32) -> u32; 3] = [|word| word, |word| word % 9, |word| word & word << 7];
        for class in classes {
            let mut keys: Vec<u32> = (0..n as u32).map(|item| class(word(item))).collect();
            let mut values: Vec<u32> = (0..n as u32).collect();
            let most = pool.install(|| most_bytes(|| sortsmith::sort(&mut keys).unwrap()));
            assert!(most <= bound(n * 4), "{n} keys: {most} bytes");
            keys.iter_mut().zip(0..).for_each(|(key, item)| *key = class(word(item)));
            let sort = || sortsmith::sort_pairs(&mut keys, &mut values).unwrap();
            let most = pool.install(|| most_bytes(sort));
            assert!(most <= bound(n * 8), "{n} pairs: {most} bytes");
        }
    }
    let mut keys: Vec<u16> = (0..1000).map(|item| word(item) as u16).collect();
    let most = most_bytes(|| sortsmith::sort(&mut keys).unwrap());
    assert_eq!(most, 0, "a small n is sorted by way of the stack");
}

/// Threads of sorts that are refused memory, and slices that have no room in what a sort has left.
struct Refusals {
    pool: ThreadPool,
    /// Keys of more bytes than a sort keeps for the next one.
    unsorted: Vec<u64>,
    /// How many allocations have been refused in all.
    count: usize,
}

impl Refusals {
    fn new(threads: usize) -> Self {
        let pool = ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.start_handler(|_| enter_sorts()).build();
        let mut unsorted = vec![0; 10 << 20];
        unsorted[..3].copy_from_slice(&[1, 0, 2]);
        Self { pool: pool.unwrap(), unsorted, count: 0 }
    }

    /// Frees what the last sort has kept for the next one: a sort that it is too small for frees it, and then is refused more.
    fn free_kept(&mut self) {
        let mut unsorted = std::mem::take(&mut self.unsorted);
        let (result, bytes) = refusing(1, &self.pool, || Sorter::host().sort(&mut unsorted));
        assert!(matches!(result, Err(Error::OutOfMemory { .. })), "{result:?}");
        assert!(bytes.is_some_and(|bytes| bytes > 9 << 23) && unsorted[..3] == [1, 0, 2]);
        self.unsorted = unsorted;
    }

    /// Refuses each allocation of a sort in turn, of which there are at least this number.
    fn check<K: Item, V: Item>(&mut self, case: &Case<K, V>, least: usize, sort: Sort<'_, K, V>) {
        let name = &case.name;
        for number in 1.. {
            let (mut keys, mut values) = case.before.clone();
            self.free_kept();
            let before = bytes_now();
            let run = || sort(&mut keys, &mut values);
            let (result, refused) = refusing(number, &self.pool, run);
            let Some(refused) = refused else {
                result.unwrap();
                case.expect_sorted(&keys, &values);
                assert!(number > least, "{name}: {} allocations", number - 1);
                println!("{name}: {} allocations were refused", number - 1);
                self.count += number - 1;
                return;
            };
            match result {
                // Tables of a partition are done without.
                Ok(()) => case.expect_sorted(&keys, &values),
                Err(Error::OutOfMemory { bytes }) => {
                    // Large sorts ask for complete pages.
                    let of_pages = bytes.next_multiple_of(1 << 21);
                    let sizes = [bytes, of_pages];
                    assert!(sizes.contains(&refused), "{name}: {bytes} of {refused} bytes");
                    case.expect_unchanged(&keys, &values);
                }
                Err(error) => panic!("{name}, allocation {number}: {error}"),
            }
            self.free_kept();
            let left = bytes_now().saturating_sub(before);
            assert!(left < LARGE, "{name}, allocation {number}: {left} bytes are left");
            // The next sort has memory.
            self.pool.install(|| sort(&mut keys, &mut values)).unwrap();
            case.expect_sorted(&keys, &values);
        }
    }
}

/// What slices of sorts have.
trait Item: SortValue + Zeroable + PartialEq {}
impl<T: SortValue + PartialEq> Item for T {}

/// A sort of lists.
type ListSort<'a> = dyn Fn(&mut [u32]) -> Result<(), Error> + Sync + 'a;

/// A sort of some slices.
type Sort<'a, K, V> = &'a (dyn Fn(&mut [K], &mut [V]) -> Result<(), Error> + Sync);

/// Slices of a sort, and what it makes of them.
struct Case<K, V> {
    name: String,
    before: (Vec<K>, Vec<V>),
    after: (Vec<K>, Vec<V>),
    /// Whether the values are those of the caller. Else they are an output, which is unspecified after an error.
    has_values: bool,
}

impl<K: Item, V: Item> Case<K, V> {
    fn expect_unchanged(&self, keys: &[K], values: &[V]) {
        let are_values = !self.has_values || values == self.before.1;
        assert!(keys == self.before.0 && are_values, "{}: it has changed them", self.name);
    }

    fn expect_sorted(&self, keys: &[K], values: &[V]) {
        assert!(keys == self.after.0 && values == self.after.1, "{}: not sorted", self.name);
    }
}

/// The positions that sorted keys come from.
fn order_of<K: Ord>(keys: &[K]) -> Vec<u32> {
    let mut order: Vec<u32> = (0..keys.len() as u32).collect();
    order.sort_by_key(|position| &keys[*position as usize]);
    order
}

fn items_of<T: Copy>(items: &[T], order: &[u32]) -> Vec<T> {
    order.iter().map(|position| items[*position as usize]).collect()
}

/// A sort of pairs in place, with a value for each position.
fn in_place<K: Item + Ord, V: Item>(name: &str, keys: &[K], value: fn(u32) -> V) -> Case<K, V> {
    let (order, values) = (order_of(keys), (0..keys.len() as u32).map(value).collect::<Vec<V>>());
    let after = (items_of(keys, &order), items_of(&values, &order));
    Case { name: name.to_owned(), before: (keys.to_vec(), values), after, has_values: true }
}

/// A sort that writes values, and leaves the keys.
fn to_output<K: Item, V: Item>(name: &str, keys: &[K], output: Vec<V>) -> Case<K, V> {
    let before = (keys.to_vec(), vec![V::zeroed(); output.len()]);
    let after = (keys.to_vec(), output);
    Case { name: name.to_owned(), before, after, has_values: false }
}

/// Ascending keys, and behind them this number of others.
fn appended(n: u32, others: u32) -> Vec<u32> {
    (0..n).map(|item| if item < n - others { 2 * item } else { word(item) % (2 * n) }).collect()
}

/// A few runs, each ascending.
fn in_runs(n: u32) -> Vec<u32> {
    (0..n).map(|item| item * 3 % n + item * 3 / n).collect()
}

fn unordered(n: u32) -> Vec<u32> {
    (0..n).map(word).collect()
}

fn few_distinct(n: u32) -> Vec<u32> {
    (0..n).map(|item| word(item) % 9).collect()
}

/// Values that do not move in each pass, but are gathered.
fn wide(position: u32) -> [u32; 20] {
    [position; 20]
}

fn sort<K: SortKey>(keys: &mut [K], _: &mut [()]) -> Result<(), Error> {
    Sorter::host().sort(keys)
}

fn sort_pairs<K: SortKey, V: Item>(keys: &mut [K], values: &mut [V]) -> Result<(), Error> {
    Sorter::host().sort_pairs(keys, values)
}

fn argsort<K: SortKey>(keys: &mut [K], order: &mut [u32]) -> Result<(), Error> {
    Sorter::host().argsort_into(keys, order)
}

/// Sorts in place on one thread, of slices that fit a cache and of longer ones.
fn check_in_place(refusals: &mut Refusals) {
    refusals.check(&in_place("keys", &unordered(40_000), |_| ()), 1, &sort);
    let large: Vec<u64> = unordered(300_000).into_iter().map(|key| u64::from(key) << 9).collect();
    refusals.check(&in_place("keys of buckets", &large, |_| ()), 1, &sort);
    refusals.check(
        &in_place("few distinct keys", &few_distinct(300_000), u64::from),
        1,
        &sort_pairs,
    );
    refusals.check(&in_place("pairs", &large, |position| [position as u8; 3]), 1, &sort_pairs);
    // Memory for the merge, and for the sort of the keys behind.
    let appended = appended(400_000, 40_000);
    refusals.check(&in_place("pairs behind others", &appended, u64::from), 2, &sort_pairs);
    // Positions, a copy of the values, and memory for the sort.
    refusals.check(&in_place("wide values", &unordered(40_000), wide), 3, &sort_pairs);
}

/// Sorts on one thread that write other slices.
fn check_outputs(refusals: &mut Refusals) {
    let keys = unordered(40_000);
    let order = order_of(&keys);
    refusals.check(&to_output("positions", &keys, order.clone()), 1, &argsort);
    let sorted = items_of(&keys, &order);
    let into = |keys: &mut [u32], to: &mut [u32]| Sorter::host().sort_into(keys, to);
    refusals.check(&to_output("to another slice", &keys, sorted.clone()), 1, &into);
    let with_positions = |keys: &mut [u32], to: &mut [u32]| {
        let (sorted, positions) = to.split_at_mut(keys.len());
        Sorter::host().sort_with_positions_into(keys, sorted, positions)
    };
    let both = [sorted.clone(), order.clone()].concat();
    refusals.check(&to_output("with positions", &keys, both), 1, &with_positions);
    let first = |items: &[u32]| items.iter().rev().take(100).copied().collect::<Vec<u32>>();
    let top_k = |keys: &mut [u32], to: &mut [u32]| {
        let (found, positions) = to.split_at_mut(100);
        Sorter::host().top_k_into(keys, found, positions)
    };
    let found = [first(&sorted), first(&order)].concat();
    refusals.check(&to_output("first keys", &keys, found), 1, &top_k);
    // A copy of the keys, memory for the merge, and for the sort of the keys behind.
    let appended = appended(400_000, 40_000);
    let order = order_of(&appended);
    refusals.check(&to_output("positions behind others", &appended, order), 3, &argsort);
    // A copy of the keys, and memory for the sort of each row.
    let rows = |keys: &mut [u32], to: &mut [u32]| {
        Sorter::host().argsort_rows_into(keys, to, keys.len() / 2)
    };
    let order = keys.chunks(20_000).flat_map(order_of).collect();
    refusals.check(&to_output("positions in rows", &keys, order), 3, &rows);
}

/// Sorts on several threads that need no tables for them.
fn check_several_threads(refusals: &mut Refusals) {
    // A copy of the keys and one of the values.
    let runs = in_runs(200_000);
    refusals.check(&in_place("pairs in runs", &runs, u64::from), 2, &sort_pairs);
    let order = order_of(&runs);
    refusals.check(&to_output("positions in runs", &runs, order), 3, &argsort);
    let few = few_distinct(200_000);
    refusals.check(&in_place("few distinct keys", &few, u64::from), 1, &sort_pairs);
    refusals.check(&in_place("wide values", &few, wide), 3, &sort_pairs);
    refusals.check(&to_output("few positions", &few, order_of(&few)), 1, &argsort);
}

/// Sorts on several threads that have tables for them.
fn check_partitions(refusals: &mut Refusals) {
    let keys = unordered(200_000);
    refusals.check(&in_place("shared keys", &keys, |_| ()), 1, &sort);
    refusals.check(&in_place("shared pairs", &keys, u64::from), 1, &sort_pairs);
    refusals.check(&in_place("shared wide values", &keys, wide), 3, &sort_pairs);
    refusals.check(&to_output("shared positions", &keys, order_of(&keys)), 1, &argsort);
}

/// More than a few threads merge what lies behind others.
fn check_many_threads(refusals: &mut Refusals) {
    let case = in_place("pairs behind others", &appended(600_000, 60_000), u64::from);
    refusals.check(&case, 2, &sort_pairs);
}

/// Refuses allocations of sorts on this number of threads. How many were refused.
fn refused(threads: usize, check: fn(&mut Refusals)) -> usize {
    let mut refusals = Refusals::new(threads);
    check(&mut refusals);
    // Other tests find no memory that these sorts have left.
    refusals.free_kept();
    refusals.count
}

/// Sorts of several lists in place: each list is as it was or sorted. Top-ks are not in place.
fn check_lists(refusals: &mut Refusals) {
    const COLUMNS: usize = 40_000;
    let before = unordered(2 * COLUMNS as u32);
    let (begins, ends): (Vec<u32>, Vec<u32>) = (0..8000).map(|it| (10 * it, 10 * it + 10)).unzip();
    let host = Sorter::host();
    let rows = |keys: &mut [u32]| host.sort_rows(keys, COLUMNS);
    let segments =
        |keys: &mut [u32]| host.sort_segments(keys, Segments::between(&begins[..], &ends[..]));
    let top_k = |keys: &mut [u32]| sortsmith::top_k(keys, COLUMNS).map(|_| ());
    let sorts: [(&str, usize, usize, &ListSort<'_>); 3] = [
        ("rows", COLUMNS, 2, &rows),
        ("segments", 10, 2, &segments),
        ("top-k", 2 * COLUMNS, 2, &top_k),
    ];
    for (name, length, least, sort) in sorts {
        for number in 1.. {
            let mut keys = before.clone();
            refusals.free_kept();
            let (result, refused) = refusing(number, &refusals.pool, || sort(&mut keys));
            if refused.is_none() {
                result.unwrap();
                assert!(number > least, "{name}: {} allocations", number - 1);
                refusals.count += number - 1;
                break;
            }
            assert!(matches!(result, Err(Error::OutOfMemory { .. })), "{name}: {result:?}");
            for (list, before) in keys.chunks(length).zip(before.chunks(length)) {
                assert!(list == before || list.is_sorted() && name != "top-k", "{name}, {number}");
            }
        }
    }
}

/// A merge of many short runs: in place, and by sorters with room for a copy. After an error the slices have the same pairs, in any order.
fn check_runs(refusals: &mut Refusals) {
    // The time of a merge by sorters is by the square of the number of runs, and by the bits in which keys differ.
    for (merge, count, scratch, least) in [
        (RunMerge::Host, 4500, usize::MAX, 12),
        (RunMerge::Host, 4500, 100_000, 12),
        (RunMerge::Sorters, 2100, usize::MAX, 4),
    ] {
        let case = in_place("many runs", &few_distinct(8 * count), |position| position);
        for number in 1.. {
            let (mut keys, mut values) = case.before.clone();
            refusals.free_kept();
            let (result, refused) = refusing(number, &refusals.pool, || {
                let runs = RunSorter::new(Sorter::host()).run_bytes(8 * 8);
                let mut runs = runs.scratch_bytes(scratch).merge_by(merge);
                runs.sort_pairs(&mut keys, &mut values)
            });
            match result {
                Ok(()) => case.expect_sorted(&keys, &values),
                Err(Error::OutOfMemory { .. }) => {}
                Err(error) => panic!("{merge:?}, allocation {number}: {error}"),
            }
            if refused.is_none() {
                assert!(number > least, "{merge:?}: {} allocations", number - 1);
                println!("{merge:?}, room of {scratch}: {} allocations were refused", number - 1);
                refusals.count += number - 1;
                break;
            }
            let have_moved = keys == items_of(&case.before.0, &values);
            values.sort_unstable();
            assert!(have_moved && values == case.before.1, "{merge:?}, allocation {number}");
        }
    }
}

#[test]
fn sorts_that_are_refused_memory_are_errors_that_lose_nothing_or_do_without_it() {
    let _alone = alone();
    let counts = [
        refused(1, check_in_place),
        refused(1, check_outputs),
        refused(2, check_several_threads),
        refused(6, check_many_threads),
        refused(2, check_partitions),
        refused(1, check_lists),
        refused(1, check_runs),
    ];
    println!("{} allocations were refused", counts.iter().sum::<usize>());
}
