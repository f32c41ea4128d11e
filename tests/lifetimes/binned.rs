//! Binned argsorts of device slices: what they write and keep.

use sortsmith::{Error, Rows, Sorter};

use crate::shim;
use crate::{MANY, begin, captured, end, keys, next_sorter, replay, stream};

/// By one launch, and by two where a row has more items than the blocks of one launch hold.
#[test]
fn positions_and_offsets_are_written_and_no_others() {
    let test = "binned::positions_and_offsets_are_written_and_no_others";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        for (rows, columns, stride, bins, expected) in [
            (1, 0, 0, 3, 1),
            (1, 1, 1, 1, 1),
            (64, 4096, 4099, 256, 1),
            (1000, 7, 9, 512, 1),
            (1000, MANY / 100, MANY / 100, 64, 1),
            (1, MANY, MANY, 256, 1),
            (2, MANY / 2, MANY / 2 + 3, 256, 1),
            (1, 20 * MANY, 20 * MANY, 256, 2),
        ] {
            let n = (rows - 1) * stride + columns;
            let items = keys(&stream, n.max(1));
            let (found, all) = (rows * columns, rows * (bins + 1));
            let (mut positions, mut offsets) = (keys(&stream, found + 1), keys(&stream, all + 1));
            let count = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
            let launches = count();
            {
                let items = items.slice(..n);
                let mut positions = positions.slice_mut(..found);
                let mut offsets = offsets.slice_mut(..all);
                if rows == 1 {
                    sorter.argsort_binned_into::<u32>(&items, bins, &mut positions, &mut offsets)
                } else {
                    let lists = Rows::of(columns).stride(stride);
                    sorter.argsort_binned_rows_into::<u32>(
                        &items,
                        lists,
                        bins,
                        &mut positions,
                        &mut offsets,
                    )
                }
                .unwrap();
            }
            assert_eq!(count() - launches, expected, "{columns} columns");
            let [positions, offsets] =
                [positions, offsets].map(|it| stream.clone_dtoh(&it).unwrap());
            let last = [positions.last(), offsets.last()];
            assert_eq!(last, [Some(&7); 2], "{columns} columns: what is behind them");
            let changed = |of: &[u32]| of[..of.len() - 1].iter().all(|item| *item != 7);
            assert!(changed(&positions) && changed(&offsets), "{columns} columns");
            assert!(stream.clone_dtoh(&items).unwrap().iter().all(|key| *key == 7));
        }
    }
    shim.expect_clean();
}

#[test]
fn nothing_is_allocated_after_a_reserve() {
    let test = "binned::nothing_is_allocated_after_a_reserve";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        let items = keys(&stream, 4 * MANY);
        for bins in [5, 256] {
            let mut positions = keys(&stream, 4 * MANY);
            let mut offsets = keys(&stream, 4 * MANY * (bins + 1) / 1000);
            sorter.reserve_argsort_binned::<u32>(4 * MANY, bins).unwrap();
            let before = (shim.live("bytes"), shim.calls("nvrtcCompileProgram"));
            for rows in [1, 2, 4, 400] {
                let mut offsets = offsets.slice_mut(..rows * (bins + 1));
                let (columns, positions) = (4 * MANY / rows, &mut positions);
                sorter
                    .argsort_binned_rows_into::<u32>(&items, columns, bins, positions, &mut offsets)
                    .unwrap();
            }
            assert_eq!((shim.live("bytes"), shim.calls("nvrtcCompileProgram")), before, "{bins}");
        }
    }
    shim.expect_clean();
}

#[test]
fn a_graph_keeps_counts_and_kernels() {
    let test = "binned::a_graph_keeps_counts_and_kernels";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let items = keys(&stream, MANY);
        let sorter = Sorter::on(&stream).unwrap();
        let (mut positions, mut offsets) = (keys(&stream, MANY), keys(&stream, 9));
        let graph = captured(&stream, || {
            sorter.argsort_binned_into::<u32>(&items, 8, &mut positions, &mut offsets)
        });
        begin(&stream);
        let error = sorter.argsort_binned::<u32>(&items, 8).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Capture { .. }), "{error}");
        drop(end(&stream));
        drop(sorter);
        next_sorter();
        replay(shim, &graph, &stream);
        for slice in [&positions, &offsets] {
            let items = stream.clone_dtoh(slice).unwrap();
            assert!(items.iter().all(|item| *item == 0x0101_0101));
        }
    }
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn wrong_calls_are_refused() {
    let Some(shim) = shim::child("binned::wrong_calls_are_refused", &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        let items = keys(&stream, 12);
        let (mut positions, mut offsets) = (keys(&stream, 12), keys(&stream, 4));
        for bins in [0, 513] {
            let error = sorter.argsort_binned::<u32>(&items, bins).map(|_| ()).unwrap_err();
            assert!(matches!(error, Error::Bins { most: 512, .. }), "{error}");
        }
        let error = sorter.argsort_binned_rows::<u32>(&items, 5, 3).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::RowShape { .. }), "{error}");
        let error = sorter.argsort_binned_into::<u32>(&items, 4, &mut positions, &mut offsets);
        let error = error.unwrap_err();
        assert!(
            matches!(error, Error::OutputLength { what: "offsets", items: 5, room: 4 }),
            "{error}"
        );
        let mut host = vec![0; 12];
        let error = sorter.argsort_binned_into::<u32>(&items, 3, &mut host, &mut offsets);
        assert!(matches!(error.unwrap_err(), Error::MixedMemory { .. }));
        let none = sorter.argsort_binned::<u32>(&stream.null::<u32>().unwrap(), 3).unwrap();
        assert_eq!((none.positions.len(), none.offsets.len()), (0, 4));
    }
    shim.expect_clean();
}
