"""Some thousands of random arrays on the host against numpy's stable sorts."""

import numpy as np
import pytest
from conftest import KEYS, positions, random_keys, random_shape, same

import sortsmith

CASES = 300
VALUES = ["uint32", "float32", "float64", "complex64", "<U2", "S4", "S8", "datetime64[ns]"]
VALUES += ["bool", "int8", "uint16", "float16", "complex128", "<U4", "S3", "S12", "u1,f4"]


def random_options(rng, dtype):
    options = {"descending": bool(rng.integers(2)), "nan_last": bool(rng.integers(2))}
    if rng.integers(4) == 0:
        width = 8 * np.dtype(dtype).itemsize
        options["bits"] = tuple(sorted(int(bit) for bit in rng.integers(0, width + 1, 2)))
    return options


def with_gaps(rng, keys):
    """The same rows in a larger array, or the array itself."""
    if keys.ndim < 2 or rng.integers(2):
        return keys
    gap = int(rng.integers(1, 4))
    larger = np.zeros((*keys.shape[:-1], keys.shape[-1] + gap), keys.dtype)
    larger[..., : keys.shape[-1]] = keys
    return larger[..., : keys.shape[-1]]


@pytest.mark.parametrize("dtype", KEYS)
def test_sorts_are_those_of_numpy(dtype, rng):
    for _ in range(CASES):
        keys = random_keys(rng, dtype, random_shape(rng))
        options = random_options(rng, dtype)
        order = positions(keys, **options)
        expected = np.take_along_axis(keys, order, -1)
        sort, argsort, sort_pairs = (
            (sortsmith.sort, sortsmith.argsort, sortsmith.sort_pairs)
            if keys.ndim == 1
            else (sortsmith.sort_rows, sortsmith.argsort_rows, sortsmith.sort_pairs_rows)
        )
        assert same(argsort(keys, **options), order.astype(np.uint32))
        beside = np.empty_like(keys)
        assert same(argsort(keys, sorted=beside, **options), order.astype(np.uint32))
        assert same(beside, expected)
        before = keys.copy()
        out = np.empty_like(keys)
        assert sort(keys, out=out, **options) is out
        assert same(out, expected) and same(keys, before)

        values = np.arange(keys.size).reshape(keys.shape).astype(rng.choice(VALUES))
        expected_values = np.take_along_axis(values, order, -1)
        outs = np.empty_like(keys), np.empty_like(values)
        assert sort_pairs(keys, values, out=outs, **options) is outs
        assert same(outs[0], expected) and same(outs[1], expected_values)

        in_place = with_gaps(rng, keys.copy())
        base = in_place.base if in_place.base is not None and in_place.ndim > 1 else None
        assert sort(in_place, **options) is in_place
        assert same(in_place, expected)
        if base is not None and base.shape != keys.shape:
            assert not base[..., keys.shape[-1] :].any(), "a gap was written"
        sort_pairs(keys, values, **options)
        assert same(keys, expected) and same(values, expected_values)


@pytest.mark.parametrize("dtype", KEYS)
def test_top_ks_are_the_first_keys_of_sorts(dtype, rng):
    for _ in range(CASES):
        keys = with_gaps(rng, random_keys(rng, dtype, random_shape(rng)))
        options = {"nan_last": bool(rng.integers(2))}
        largest, is_sorted = bool(rng.integers(2)), bool(rng.integers(2))
        k = int(rng.integers(0, keys.shape[-1] + 1))
        order = positions(keys, descending=largest, **options)[..., :k]
        if not is_sorted:
            order = np.sort(order, axis=-1)
        found, where = sortsmith.topk(keys, k, largest=largest, sorted=is_sorted, **options)
        assert same(where, order.astype(np.uint32))
        assert same(found, np.take_along_axis(keys, order, -1))
        wide = np.empty_like(found), np.full(where.shape, -1, np.int64)
        assert sortsmith.topk(keys, k, out=wide, largest=largest, sorted=is_sorted, **options) is wide
        assert same(wide[0], found) and same(wide[1], order.astype(np.int64))


@pytest.mark.parametrize("offset", ["int32", "int64", "uint64"])
def test_segments_are_sorted_each_by_itself(offset, rng):
    for _ in range(CASES):
        dtype = rng.choice(KEYS)
        keys = random_keys(rng, dtype, (int(rng.integers(0, 2000)),))
        options = random_options(rng, dtype)
        offsets = np.sort(rng.integers(0, keys.size + 1, int(rng.integers(0, 30)))).astype(offset)
        segments = list(zip(offsets[:-1].astype(int), offsets[1:].astype(int)))
        arguments = {"offsets": offsets}
        if rng.integers(2) and segments:
            rng.shuffle(segments)
            begins, ends = np.array(segments, offset).T.copy()
            arguments = {"offsets": begins, "ends": ends}
        expected, order = keys.copy(), np.full(keys.shape, 7, np.uint32)
        values = np.arange(keys.size, dtype=np.float32)
        expected_values = values.copy()
        for begin, end in segments:
            its = positions(keys[begin:end], **options)
            order[begin:end] = its
            expected[begin:end] = keys[begin:end][its]
            expected_values[begin:end] = values[begin:end][its]
        out = np.full(keys.shape, 7, np.uint32)
        assert same(sortsmith.argsort_segments(keys, **arguments, out=out, **options), order)
        copy = keys.copy()
        assert same(sortsmith.sort_segments(copy, **arguments, **options), expected)
        sortsmith.sort_pairs_segments(keys, values, **arguments, **options)
        assert same(keys, expected) and same(values, expected_values)


@pytest.mark.parametrize("dtype", ["uint8", "int32", "float32", "float64"])
def test_long_arrays_are_sorted_by_several_threads(dtype, rng):
    for length in (1 << 16, (1 << 18) + 5, 1_000_003):
        keys = random_keys(rng, dtype, (length,))
        order = positions(keys)
        assert same(sortsmith.argsort(keys), order.astype(np.uint32))
        assert same(sortsmith.sort(keys.copy()), keys[order])
        positions_out = np.empty(length, np.int32)
        assert same(sortsmith.argsort(keys, out=positions_out), order.astype(np.int32))


@pytest.mark.parametrize("dtype", ["float32", "int64", "uint16"])
def test_the_order_is_numpys_own(dtype, rng):
    """Independent of the reference above: without negative NaNs, NaNs last is numpy's order."""
    for _ in range(50):
        keys = random_keys(rng, dtype, (int(rng.integers(0, 500)),))
        assert np.array_equal(
            sortsmith.argsort(keys, nan_last=True), np.argsort(keys, kind="stable")
        )


def test_bfloat16_is_ordered_as_the_floats_it_is_the_upper_half_of(rng):
    dtypes = pytest.importorskip("ml_dtypes")
    floats = (random_keys(rng, "float32", (3000,)).view(np.uint32) & 0xFFFF0000).view(np.float32)
    keys = floats.view(np.uint16)[1::2].copy().view(dtypes.bfloat16)
    assert same(sortsmith.argsort(keys), positions(floats).astype(np.uint32))
