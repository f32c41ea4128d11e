use std::cell::Cell;

use sortsmith_codegen::KeyType;

use super::*;

fn gpu() -> GpuId {
    let name = "GPU".to_owned();
    GpuId { name, arch: 90, multiprocessors: 132, shared_bytes_per_block: 227 * 1024 }
}

fn crossovers(path: Option<PathBuf>) -> Crossovers {
    Crossovers::new(gpu(), path, true, Settings::default())
}

fn class() -> Class {
    Class::of(KeyType::U32, 4, 32, 16)
}

/// A host that takes 10 ns for a key, and a GPU that takes 40 µs and 1 ns for a key: equal at 4,444 keys.
fn linear(n: usize) -> Times {
    Times { n: n as u64, host: 10 * n as u64, gpu: 40_000 + n as u64 }
}

#[test]
#[cfg_attr(miri, ignore = "Miri sorts on several threads from fewer keys on than are measured")]
fn sizes_are_powers_of_two_and_one_less_than_what_several_threads_sort() {
    let sizes = sizes();
    assert!(sizes.is_sorted_by(|one, next| one < next));
    assert!(sizes.iter().all(|n| n.is_power_of_two() || *n == PARALLEL_MIN - 1));
    assert!(sizes.contains(&PARALLEL_MIN) && sizes.contains(&(PARALLEL_MIN - 1)));
    assert_eq!(sizes_around(MEASURED_MIN, 8), [MEASURED_MIN; 2]);
    assert_eq!(sizes_around(3000, 8), [2048, 4096]);
    assert_eq!(sizes_around(1 << 14, 8), [1 << 14; 2]);
    assert_eq!(sizes_around(PARALLEL_MIN - 2, 8), [PARALLEL_MIN / 2, PARALLEL_MIN - 1]);
    assert_eq!(sizes_around(1 << 26, 8), [1 << 22; 2]);
    assert_eq!(sizes_around(1 << 26, 1 << 10), [1 << 16; 2]);
    assert_eq!(sizes_around(1 << 26, 1 << 30), [MEASURED_MIN; 2]);
}

/// The choice is never slower than the better side by more than a tenth, whatever lies between the sizes.
#[test]
fn the_choice_is_the_faster_side_between_sizes_too() {
    let crossovers = crossovers(None);
    let mut n = MEASURED_MIN as f64;
    while n < (1 << 26) as f64 {
        let keys = n as usize;
        let side = crossovers.side(Some(class()), keys, &mut |n| Ok(linear(n)));
        let Times { host, gpu, .. } = linear(keys);
        let taken = if side == Side::Host { host } else { gpu };
        assert!(taken as f64 <= 1.1 * host.min(gpu) as f64, "{keys}: {side}");
        n *= if cfg!(miri) { 2.7 } else { 1.07 };
    }
    assert_eq!(crossovers.side(Some(class()), 4000, &mut |_| unreachable!()), Side::Host);
    assert_eq!(crossovers.side(Some(class()), 5000, &mut |_| unreachable!()), Side::Device);
}

#[test]
fn each_size_is_measured_once_and_when_it_is_needed() {
    let crossovers = crossovers(None);
    let measured = Cell::new(Vec::new());
    let mut measure = |n| {
        let mut all = measured.take();
        all.push(n);
        measured.set(all);
        Ok(linear(n))
    };
    let mut sort = |n| crossovers.side(Some(class()), n, &mut measure);
    assert_eq!(sort(MEASURED_MIN - 1), Side::Host);
    assert_eq!(measured.take(), [0usize; 0]);
    assert_eq!(sort(3000), Side::Host);
    assert_eq!(measured.take(), [2048, 4096]);
    assert_eq!(sort(5000), Side::Device);
    assert_eq!(measured.take(), [8192]);
    assert_eq!((sort(4095), sort(8191), measured.take()), (Side::Host, Side::Device, vec![]));
    let other = Class::of(KeyType::U32, 4, 32, 8);
    crossovers.side(Some(other), 4096, &mut |n| Ok(linear(n)));
}

#[test]
#[cfg_attr(
    miri,
    ignore = "Miri has no openat, by which files are read, and no getgid, by which rights are"
)]
fn times_are_kept_on_disk_and_read_by_the_next_process() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("crossovers.toml");
    let (one, other) = (crossovers(Some(path.clone())), crossovers(Some(path.clone())));
    one.side(Some(class()), 4096, &mut |n| Ok(linear(n)));
    // Both have begun without the file, and keep what the other one has written.
    drop(other.lock());
    other.side(Some(class()), 8192, &mut |n| Ok(linear(n)));
    one.side(Some(class()), 16384, &mut |n| Ok(linear(n)));
    let next = crossovers(Some(path.clone()));
    for n in [4096, 8192, 16384] {
        next.side(Some(class()), n, &mut |_| unreachable!());
    }
    // A file that is no use is written anew.
    std::fs::write(&path, "damaged").unwrap();
    let next = crossovers(Some(path.clone()));
    next.side(Some(class()), 4096, &mut |n| Ok(linear(n)));
    let next = crossovers(Some(path));
    next.side(Some(class()), 4096, &mut |_| unreachable!());
    // And where nothing can be written, times are known in the process alone.
    let nowhere = crossovers(Some("/proc/no/such/folder/crossovers.toml".into()));
    nowhere.side(Some(class()), 4096, &mut |n| Ok(linear(n)));
    assert_eq!(nowhere.side(Some(class()), 4096, &mut |_| unreachable!()), Side::Host);
}

#[test]
fn without_times_the_number_of_keys_decides() {
    let disabled = Crossovers::new(gpu(), None, false, Settings::default());
    let crossovers = crossovers(None);
    let sides = [(UNMEASURED_MIN - 1, Side::Host), (UNMEASURED_MIN, Side::Device)];
    for (n, side) in sides {
        assert_eq!(disabled.side(Some(class()), n, &mut |_| unreachable!()), side);
        assert_eq!(crossovers.side(None, n, &mut |_| unreachable!()), side);
        assert_eq!(disabled.may_copy(n), side == Side::Device);
    }
    // A device that cannot sort is measured once; one with a stream that is being captured, again.
    let refuse = |n, error: fn() -> Error| crossovers.side(Some(class()), n, &mut |_| Err(error()));
    let captured = || Error::Capture { reason: "a capture" };
    assert_eq!(refuse(UNMEASURED_MIN, captured), Side::Device);
    assert_eq!(refuse(UNMEASURED_MIN, || Error::OutOfMemory { bytes: 1 }), Side::Device);
    assert_eq!(refuse(UNMEASURED_MIN - 1, || unreachable!()), Side::Host);
}

/// A sort of the same class within a measurement, as a task that the host's sort waits for may be.
#[test]
fn a_sort_within_a_measurement_waits_for_nothing() {
    let crossovers = crossovers(None);
    let side = crossovers.side(Some(class()), 4096, &mut |n| {
        let within = crossovers.side(Some(class()), 4096, &mut |_| unreachable!());
        assert_eq!(within, Side::Host);
        Ok(linear(n))
    });
    assert_eq!(side, Side::Host);
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        crossovers.side(Some(class()), 8192, &mut |_| panic!("in a measurement"));
    }));
    assert!(panicked.is_err());
    assert_eq!(crossovers.side(Some(class()), 8192, &mut |n| Ok(linear(n))), Side::Device);
}

/// By a fake clock.
#[test]
fn the_least_of_alternate_runs_counts_and_the_first_one_does_not() {
    let micros = |micros: &[u64], side| {
        Duration::from_micros(micros[0] + if side == Side::Host { micros[1] } else { 0 })
    };
    let mut runs = Vec::new();
    let found = times(4096, &mut |side| {
        runs.push(side);
        // The first runs take long, the others less and less.
        let time: &[u64] = if runs.len() <= 2 { &[2000, 0] } else { &[100, 20] };
        Ok(micros(time, side).saturating_sub(Duration::from_micros(runs.len() as u64)))
    });
    assert_eq!(found.unwrap(), Times { n: 4096, host: 109_000, gpu: 88_000 });
    let expected = 2 + 2 * ROUNDS as usize;
    assert_eq!(runs.len(), expected);
    assert_eq!(runs[..4], [Side::Device, Side::Host, Side::Host, Side::Device]);
    // One round is enough where it is clear, and where it takes long.
    for time in [[10, 100], [5000, 1]] {
        let mut runs = 0;
        times(4096, &mut |side| {
            runs += 1;
            Ok(micros(&time, side))
        })
        .unwrap();
        assert_eq!(runs, 4, "{time:?}");
    }
    let error = times(4096, &mut |side| {
        assert_eq!(side, Side::Device, "the host sorts in vain");
        Err(Error::OutOfMemory { bytes: 1 })
    });
    assert!(error.is_err());
}
