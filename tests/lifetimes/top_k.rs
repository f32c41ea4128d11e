//! Top-ks of device slices: what they write and keep.

use cudarc::driver::{CudaContext, CudaSlice};
use sortsmith::{Error, Rows, Sorter, TopKOptions};

use crate::shim;
use crate::{MANY, begin, captured, end, keys, next_sorter, replay, stream};

/// Whether the stand-in's kernels have written all of a slice, one to each byte.
fn is_written(slice: &CudaSlice<u32>) -> bool {
    slice.stream().clone_dtoh(slice).unwrap().iter().all(|item| *item == 0x0101_0101)
}

/// By one launch, by two where there are few long rows, by three where these have many candidates, by four where rows have lists, and by the sort of each row where k is too large.
#[test]
fn first_keys_of_rows_are_written_and_no_others() {
    let test = "top_k::first_keys_of_rows_are_written_and_no_others";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        for (rows, columns, stride, k, expected) in [
            (1000, 7, 9, 7, Some(1)),
            (5, 1000, 1003, 256, Some(1)),
            (300, 2000, 2000, 1, Some(1)),
            (1, MANY, MANY, 50, Some(2)),
            (2, 3 * MANY, 3 * MANY + 5, 1024, Some(3)),
            (1, 1 << 22, 1 << 22, 1024, Some(4)),
            (3, MANY, MANY, 4097, None),
        ] {
            let items = keys(&stream, (rows - 1) * stride + columns);
            let (mut found, mut positions) =
                (keys(&stream, rows * k + 1), keys(&stream, rows * k + 1));
            let count = || shim.calls("cuLaunchKernel") + shim.calls("cuLaunchKernelEx");
            let launches = count();
            sorter
                .top_k_rows_into_with::<u32, _>(
                    &items,
                    &mut found.slice_mut(..rows * k),
                    &mut positions.slice_mut(..rows * k),
                    Rows::of(columns).stride(stride),
                    k,
                    TopKOptions::new().unsorted(),
                )
                .unwrap();
            let launches = count() - launches;
            assert!(expected.is_none_or(|it| it == launches), "{columns} columns: {launches}");
            let [found, positions] = [found, positions].map(|it| stream.clone_dtoh(&it).unwrap());
            let last = [found.last(), positions.last()];
            assert_eq!(last, [Some(&7); 2], "{columns} columns: what is behind them");
            let changed = |of: &[u32]| of[..rows * k].iter().all(|item| *item != 7);
            assert!(changed(&found) && changed(&positions), "{columns} columns, k = {k}");
            assert!(stream.clone_dtoh(&items).unwrap().iter().all(|key| *key == 7));
        }
    }
    shim.expect_clean();
}

#[test]
fn nothing_is_allocated_after_a_reserve() {
    let test = "top_k::nothing_is_allocated_after_a_reserve";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        let items = keys(&stream, 4 * MANY);
        for k in [40, 5000] {
            let (mut found, mut positions) = (keys(&stream, 4 * k), keys(&stream, 4 * k));
            sorter.reserve_top_k::<u32>(4 * MANY, k).unwrap();
            let before = (shim.live("bytes"), shim.calls("nvrtcCompileProgram"));
            for rows in [1, 2, 4] {
                let mut found = found.slice_mut(..rows * k);
                let mut positions = positions.slice_mut(..rows * k);
                let columns = 4 * MANY / rows;
                sorter
                    .top_k_rows_into::<u32, _>(&items, &mut found, &mut positions, columns, k)
                    .unwrap();
            }
            assert_eq!((shim.live("bytes"), shim.calls("nvrtcCompileProgram")), before, "{k}");
            sorter.reserve_top_k_pairs::<u32, [u8; 4]>(4 * MANY, k).unwrap();
            sorter.reserve_top_k_positions::<u32, i64>(4 * MANY, k).unwrap();
            let values = stream.alloc_zeros::<u8>(16 * MANY + 1).unwrap();
            let mut wide = stream.alloc_zeros::<i64>(k).unwrap();
            let mut belonging = stream.alloc_zeros::<[u8; 4]>(k).unwrap();
            let before = (shim.live("bytes"), shim.calls("nvrtcCompileProgram"));
            let mut found = found.slice_mut(..k);
            sorter.top_k_into::<u32, _>(&items, &mut found, &mut wide).unwrap();
            for offset in [0, 1] {
                let values = values.slice(offset..16 * MANY + offset);
                // SAFETY: any bytes are values, at any address.
                let values = unsafe { values.transmute::<[u8; 4]>(4 * MANY) }.unwrap();
                sorter
                    .top_k_pairs_into::<u32, [u8; 4]>(&items, &values, &mut found, &mut belonging)
                    .unwrap();
            }
            assert_eq!((shim.live("bytes"), shim.calls("nvrtcCompileProgram")), before, "{k}");
        }
    }
    shim.expect_clean();
}

#[test]
fn a_graph_keeps_candidates_and_kernels() {
    let test = "top_k::a_graph_keeps_candidates_and_kernels";
    let Some(shim) = shim::child(test, &[]) else { return };
    {
        let stream = stream();
        let items = keys(&stream, MANY);
        let sorter = Sorter::on(&stream).unwrap();
        let (mut found, mut positions) = (keys(&stream, 50), keys(&stream, 50));
        let (mut more, mut of_more) = (keys(&stream, 5000), keys(&stream, 5000));
        let graphs = [
            captured(&stream, || sorter.top_k_into::<u32, _>(&items, &mut found, &mut positions)),
            captured(&stream, || sorter.top_k_into::<u32, _>(&items, &mut more, &mut of_more)),
        ];
        begin(&stream);
        let error = sorter.top_k::<u32>(&items, 3).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::Capture { .. }), "{error}");
        assert!(error.to_string().contains("top_k_into"), "{error}");
        drop(end(&stream));
        drop(sorter);
        next_sorter();
        for graph in &graphs {
            replay(shim, graph, &stream);
        }
        assert!(is_written(&found) && is_written(&positions));
    }
    shim.settle();
    next_sorter();
    shim.expect_clean();
}

#[test]
fn wrong_calls_are_refused() {
    let Some(shim) = shim::child("top_k::wrong_calls_are_refused", &[]) else { return };
    {
        let stream = stream();
        let sorter = Sorter::on(&stream).unwrap();
        let items = keys(&stream, 12);
        let (mut found, mut positions) = (keys(&stream, 4), keys(&stream, 4));
        let error = sorter.top_k::<u32>(&items, 13).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::TopK { k: 13, items: 12 }), "{error}");
        let error = sorter.top_k_rows::<u32>(&items, 5, 1).map(|_| ()).unwrap_err();
        assert!(matches!(error, Error::RowShape { .. }), "{error}");
        let error = sorter.top_k_rows_into::<u32, _>(&items, &mut found, &mut positions, 4, 2);
        let error = error.unwrap_err();
        assert!(matches!(error, Error::OutputLength { items: 6, room: 4, .. }), "{error}");
        let mut host = vec![0; 4];
        let error = sorter.top_k_into::<u32, _>(&items, &mut host, &mut positions).unwrap_err();
        assert!(matches!(error, Error::MixedMemory { .. }), "{error}");
        let other = CudaContext::new(0).unwrap().new_stream().unwrap();
        let error = sorter.top_k_into::<u32, _>(&keys(&other, 9), &mut found, &mut positions);
        assert!(matches!(error.unwrap_err(), Error::OtherContext { what: "keys" }));
        let none = sorter.top_k::<u32>(&items, 0).unwrap();
        assert_eq!((none.keys.len(), none.positions.len()), (0, 0));
        let empty = stream.null::<u32>().unwrap();
        assert_eq!(sorter.top_k_rows::<u32>(&empty, 5, 3).unwrap().keys.len(), 0);
    }
    shim.expect_clean();
}
