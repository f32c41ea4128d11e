use super::*;

fn choose(sort: TileSort) -> TileChoice {
    sort.choose().unwrap_or_else(|error| panic!("{sort:?}: {error}"))
}

fn name(sort: TileSort) -> String {
    choose(sort).spec().to_string()
}

const F32_PAIRS: TileSort =
    TileSort::pairs(KeyType::F32, ValueType::U32, Block { x: 256, y: 1, z: 1 }, 16);

/// A row's own request.
fn of_row(row: &TileRow) -> TileSort {
    TileSort::pairs(row.key, row.value, Block::linear(row.threads), row.items)
}

#[test]
fn every_figure_is_of_a_legal_spec_and_every_row_is_some_requests() {
    for record in RECORDS {
        for row in record.rows {
            let sort = of_row(row).on(record.arch);
            for (method, _) in row.figures().filter(|(_, gkeys)| gkeys.is_some()) {
                let spec = sort.spec(method).unwrap_or_else(|why| panic!("{row}: {method}: {why}"));
                assert_eq!(spec.to_string().parse(), Ok(spec));
            }
            assert!(row.figure(TileMethod::Merge).is_some(), "{row}: no merges");
            let choice = choose(sort);
            assert_eq!((choice.record, choice.row), (record, row));
            assert!(choice.is_of_these_types() && choice.is_of_this_shape());
        }
    }
}

#[test]
fn the_fastest_is_chosen() {
    for row in RECORDS.iter().flat_map(|record| record.rows) {
        let choice = choose(of_row(row));
        let best = row.gkeys.iter().flatten().copied().reduce(f64::max);
        assert_eq!(Some(choice.chosen.gkeys), best, "{row}");
        assert!(choice.others.is_sorted_by(|a, b| a.gkeys >= b.gkeys));
        assert!(choice.ruled_out.is_empty(), "{:?}", choice.ruled_out);
        assert_eq!(choice.times_cub(), row.cub.map(|cub| choice.chosen.gkeys / cub));
    }
}

#[test]
fn a_network_keeps_the_order_of_equal_keys_only_where_that_is_requested_and_known_to_be_fast() {
    let small = TileSort { items: 4, ..F32_PAIRS };
    // By truncated keys, which is faster than with values in place of positions.
    for sort in [small, small.stable()] {
        assert_eq!(name(sort), "block_bitonic_sort_f32_u32_b256_i4_asc_stable");
    }
    // Wide values lie nowhere to be looked up: they are fetched, stable or not.
    let wide = TileSort { value: ValueType::U64, ..small };
    assert_eq!(name(wide), "block_bitonic_sort_f32_u64_b256_i4_asc");
    assert_eq!(name(wide.stable()), "block_bitonic_sort_f32_u64_b256_i4_asc_stable");
    // Positions are compared in any case, and nothing tells equal integers apart.
    let positions = TileSort { value: ValueType::Index, ..small };
    assert_eq!(name(positions.stable()), "block_bitonic_sort_f32_index_b256_i4_asc_stable");
    let integers = TileSort::keys(KeyType::I32, Block::linear(256), 16);
    assert_eq!(name(integers.stable()), "block_bitonic_sort_i32_keys_b256_i16_asc_stable");
    // The signs of zeros are put in order afterwards.
    let floats = TileSort { key: KeyType::F32, ..integers };
    assert_eq!(name(floats), "block_bitonic_sort_f32_keys_b256_i16_asc");
    assert_eq!(name(floats.stable()), "block_bitonic_sort_f32_keys_b256_i16_asc_stable");
    // A value in place of the position tells equal keys apart, but not by their order.
    let longs = TileSort { key: KeyType::U64, value: ValueType::U32, ..small };
    assert_eq!(name(longs), "block_bitonic_sort_u64_u32_b256_i4_asc");
    let stable = choose(longs.stable());
    assert_eq!(stable.spec().to_string(), "block_merge_sort_u64_u32_b256_i4_asc");
    let ruled_out =
        |method| stable.ruled_out.iter().find(|it| it.method == method).map(|it| &it.why);
    assert_eq!(ruled_out(NETWORK), Some(&Why::NotStable));
    assert_eq!(ruled_out(STABLE_NETWORK), Some(&Why::NotMeasured));
    let reason = stable.reason();
    assert!(
        reason.ends_with("; not the network: a stable sort is requested, which it is not"),
        "{reason}"
    );
}

#[test]
fn bits_are_for_radix_sorts() {
    let range = |begin, end| Some(BitRange::Static { begin, end });
    let sort = TileSort::keys(KeyType::U64, Block::linear(256), 16);
    let by = |bits| choose(TileSort { bits, ..sort });
    // As many passes as measured: the figure as it is. 48 bits in 6 passes and not 8; 3 bits in one.
    assert_eq!(
        by(Some(BitRange::Runtime)).spec().to_string(),
        "block_radix_sort_u64_keys_b256_i16_r8_asc_match"
    );
    let some = by(range(0, 48));
    assert_eq!(
        some.spec().to_string(),
        "block_radix_sort_u64_keys_b256_i16_r8_asc_match_bits0to48"
    );
    assert_eq!((some.chosen.measured, some.chosen.passes), (37.435, Some([8, 6])));
    assert!((some.chosen.gkeys - 37.435 * 8.0 / 6.0).abs() < 1e-9);
    assert_eq!(some.times_cub(), None);
    let few = by(range(2, 5)).spec();
    assert!(matches!(few.algorithm, Algorithm::BlockRadix { radix_bits: 3, .. }), "{few}");
    let merges = some.ruled_out.iter().find(|it| it.method == TileMethod::Merge);
    assert_eq!(merges.map(|it| &it.why), Some(&Why::Bits));
    let error = TileSort { bits: range(3, 65), ..sort }.choose().unwrap_err();
    assert_eq!(error.field, Field::Bits);
}

#[test]
fn types_that_were_not_measured_go_by_the_nearest() {
    use {KeyType as K, ValueType as V};
    for (types, nearest) in [
        ((K::I32, V::None), (K::U32, V::None)),
        ((K::Bool, V::U64), (K::I8, V::None)),
        ((K::F8E5m2, V::None), (K::I8, V::None)),
        ((K::I16, V::U32), (K::U16, V::None)),
        ((K::Bf16, V::None), (K::F16, V::None)),
        ((K::F32, V::U128), (K::F32, V::U32)),
        ((K::F32, V::Index), (K::F32, V::U32)),
        ((K::I32, V::U8), (K::U32, V::U32)),
        ((K::F64, V::U32), (K::U64, V::None)),
        ((K::U128, V::None), (K::U64, V::None)),
    ] {
        let choice = choose(TileSort { key: types.0, value: types.1, ..F32_PAIRS });
        assert_eq!((choice.row.key, choice.row.value), nearest, "{types:?}");
        assert!(!choice.is_of_these_types() && choice.is_of_this_shape());
        assert!(choice.reason().contains("the nearest that was measured"), "{}", choice.reason());
    }
}

#[test]
fn shapes_that_were_not_measured_go_by_the_nearest() {
    for (threads, items, nearest) in [
        (1, 1, (128, 4)),
        (100, 7, (128, 8)),
        (180, 5, (128, 4)),
        (192, 6, (256, 8)),
        (1024, 12, (512, 16)),
        (64, 64, (128, 16)),
    ] {
        let sort = TileSort { block: Block::linear(threads), items, ..F32_PAIRS };
        let choice = choose(sort);
        assert_eq!((choice.row.threads, choice.row.items), nearest, "{threads}x{items}");
        assert_eq!(choice.is_of_this_shape(), nearest == (threads, items));
    }
}

#[test]
fn what_has_no_room_is_ruled_out_and_digits_become_narrower() {
    let large = TileSort::keys(KeyType::U16, Block::linear(1000), 25);
    let choice = choose(large.on(Arch::new(75).expect("known")));
    assert!(registry::shared_bytes(&choice.spec()) <= 64 * 1024, "{}", choice.spec());
    let networks = choice.ruled_out.iter().find(|it| it.method == NETWORK).expect("too large");
    assert!(matches!(networks.why, Why::NoRoom { bytes, .. } if bytes > 64 * 1024));
    assert!(networks.why.to_string().ends_with("do not fit sm_75, which has 65536"));
    let ballots = choice.ruled_out.iter().find(|it| it.method == MEASURED_METHODS[6]);
    assert!(ballots.expect("no full warps").why.to_string().contains("a multiple of 32 threads"));
}

#[test]
fn a_wider_digit_is_chosen_where_it_alone_has_room() {
    // With digits of 5 bits counters overlap with exchanged items; with narrower ones they lie apart.
    let pairs = TileSort::pairs(KeyType::Bool, ValueType::U64, Block::linear(710), 56);
    let pairs = pairs.on(Arch::new(87).expect("known"));
    assert!(pairs.spec(radix(PACKED, 1)).is_err() && pairs.spec(radix(PACKED, 5)).is_ok());
    let choice = choose(pairs);
    assert_eq!(choice.spec(), pairs.spec(radix(PACKED, 5)).expect("has room"));
}

mod any_request {
    use proptest::prelude::*;
    use proptest::sample::select;

    use super::*;

    fn token<T: Token + fmt::Debug>() -> impl Strategy<Value = T> {
        select(T::table()).prop_map(|(value, _)| value)
    }

    fn sorts() -> impl Strategy<Value = TileSort> {
        let x = prop_oneof![1..=1100_u32, (1..=32_u32).prop_map(|warps| 32 * warps)];
        let block =
            (x, prop_oneof![8 => Just(1), 1 => 1..=8_u32]).prop_map(|(x, y)| Block { x, y, z: 1 });
        let range =
            (0..140_u32, 0..140_u32).prop_map(|(begin, end)| BitRange::Static { begin, end });
        let bits = prop_oneof![4 => Just(None), 1 => Just(Some(BitRange::Runtime)), 2 => range.prop_map(Some)];
        let archs = select(Arch::all().collect::<Vec<_>>());
        let types = (token::<KeyType>(), token::<ValueType>(), block, 0..=66_u32);
        (types, token(), any::<bool>(), bits, (token(), token()), archs).prop_map(
            |((key, value, block, items), order, stable, bits, (input, output), arch)| TileSort {
                order,
                stable,
                bits,
                input,
                output,
                arch,
                ..TileSort::pairs(key, value, block, items)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]

        /// A legal spec that does what is requested, or the field that cannot be.
        #[test]
        fn gets_a_spec_that_does_what_is_requested_or_a_refusal_that_names_the_field(sort in sorts()) {
            match sort.choose() {
                Ok(choice) => {
                    let spec = choice.spec();
                    let requested = (sort.key, sort.value, sort.items, sort.order, sort.input, sort.output);
                    let made = (spec.key, spec.value, spec.items, spec.order, spec.input, spec.output);
                    prop_assert_eq!(made, requested);
                    prop_assert_eq!(spec.algorithm.block(), sort.block);
                    prop_assert!(spec.algorithm.is_stable() || !sort.stable);
                    prop_assert_eq!(spec.fields().validate(), Ok(spec));
                    prop_assert!(registry::shared_bytes(&spec) <= sort.arch.max_shared_bytes());
                    if let Some(requested) = sort.bits {
                        let is_so = matches!(spec.algorithm, Algorithm::BlockRadix { bits, .. } if bits == requested);
                        prop_assert!(is_so, "{}", spec);
                    }
                    prop_assert!(!choice.reason().contains('\n'));
                }
                Err(error) => {
                    // What is refused but for room no radix sort can be, and other sorts have no more that is legal.
                    let is_room = error.field == Field::SharedMemory;
                    let by_digits = |digit| sort.fields(radix(PACKED, digit)).validate().is_ok();
                    prop_assert!(is_room || !RADIX_BITS.clone().any(by_digits), "{}", error);
                    let room = |digit| sort.spec(radix(PACKED, digit)).is_ok();
                    prop_assert!(!is_room || !RADIX_BITS.clone().any(room), "{}", error);
                }
            }
        }
    }
}
