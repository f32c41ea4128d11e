"""What is refused: each error names the argument, and says what is legal."""

import re

import numpy as np
import pytest

import sortsmith


def refused(error, message, function, *arguments, **named):
    with pytest.raises(error, match=re.escape(message)) as caught:
        function(*arguments, **named)
    assert "legal:" in str(caught.value) or "read-only" in str(caught.value)


def test_things_that_are_no_arrays():
    refused(TypeError, "keys is of type list; legal:", sortsmith.sort, [3, 1, 2])
    refused(TypeError, "keys is of type NoneType", sortsmith.sort, None)
    refused(TypeError, "out[1] is of type int", sortsmith.topk, np.ones(3), 1, out=(np.ones(1), 3))


@pytest.mark.parametrize(
    "dtype", ["complex64", "<U3", "datetime64[s]", "timedelta64[ns]", "float128", "V12", "?,i4"]
)
def test_types_that_keys_do_not_have(dtype):
    keys = np.zeros(4, dtype)
    refused(TypeError, f"keys has dtype {keys.dtype}; legal: bool, uint8", sortsmith.sort, keys)


def test_types_that_values_do_not_have():
    keys = np.zeros(4)
    for dtype, message in [("V0", "of 0 bytes; legal: items"), ("O", "of Python objects"), ("O,i8", "of Python objects")]:
        values = np.zeros(4, dtype)
        refused(TypeError, message, sortsmith.sort_pairs, keys, values)
    values, offsets = np.zeros(4, np.int16), np.array([0, 4])
    refused(TypeError, "of 2 bytes; legal: items of 4 or 8", sortsmith.sort_pairs_segments, keys, values, offsets)
    with pytest.raises(ValueError, match=r"values has shape \[3\]"):
        sortsmith.sort_pairs(keys, values[:3])
    with pytest.raises(ValueError, match="values and keys share memory"):
        sortsmith.sort_pairs(keys, keys.view(np.int16)[:4])


def test_keys_of_the_other_byte_order():
    keys = np.array([1, 2], ">i4")
    refused(TypeError, "keys has dtype >i4, of the other byte order", sortsmith.sort, keys)


def test_keys_that_must_not_be_written():
    keys = np.array([3, 1, 2])
    keys.flags.writeable = False
    refused(ValueError, "keys is read-only", sortsmith.sort, keys)
    assert list(sortsmith.argsort(keys)) == [1, 2, 0]
    assert list(sortsmith.sort(keys, out=np.empty_like(keys))) == [1, 2, 3]
    other = np.array([3, 1, 2])
    refused(ValueError, "values is read-only", sortsmith.sort_pairs, other, keys)
    refused(ValueError, "out is read-only", sortsmith.sort, other, out=keys)
    refused(ValueError, "keys is not contiguous", sortsmith.sort, np.broadcast_to(np.float32(1), 3))


def test_keys_that_do_not_lie_side_by_side():
    keys = np.arange(12)[::2]
    refused(ValueError, "keys is not contiguous along its last dimension", sortsmith.sort, keys)
    refused(ValueError, "its stride is -8 bytes; legal: 8", sortsmith.argsort, np.arange(3)[::-1])
    matrix = np.arange(12).reshape(3, 4)
    refused(ValueError, "keys is not contiguous", sortsmith.sort_rows, matrix.T)
    refused(ValueError, "rows at uneven distances", sortsmith.sort_rows, np.zeros((4, 4, 4))[:, ::3])
    refused(ValueError, "rows at uneven distances", sortsmith.sort_rows, matrix[::-1])
    shared = np.lib.stride_tricks.as_strided(np.arange(9), (6, 4), (8, 8))
    refused(ValueError, "rows at uneven distances", sortsmith.sort_rows, shared)


def test_rows_may_lie_apart():
    cube = np.arange(4 * 4 * 4)[::-1].reshape(4, 4, 4).copy()
    expected = np.sort(cube[::2, :1, :3], axis=-1)
    sortsmith.sort_rows(cube[::2, :1, :3])
    assert (cube[::2, :1, :3] == expected).all()


def test_keys_at_odd_addresses():
    packed = np.zeros(5, "u1,f4")["f1"]
    refused(ValueError, "keys is not contiguous", sortsmith.sort, packed)
    odd = np.zeros(17, np.uint8)[1:].view(np.float32)
    refused(ValueError, "no multiple of 4 bytes", sortsmith.sort, odd)


def test_dimensions():
    refused(ValueError, "keys has 2 dimensions; legal: one", sortsmith.sort, np.ones((2, 2)))
    refused(ValueError, "keys has no dimension", sortsmith.sort_rows, np.array(3.0))
    refused(ValueError, "keys has 0 dimensions", sortsmith.sort, np.array(3.0))


def test_shapes_and_types_that_differ():
    keys = np.ones(3, np.float32)
    refused(ValueError, "out has shape [2]; legal: [3]", sortsmith.sort, keys, out=np.ones(2, np.float32))
    refused(TypeError, "out has dtype float64; legal: that of keys", sortsmith.sort, keys, out=np.ones(3))
    refused(TypeError, "out has dtype int64; legal: uint32", sortsmith.argsort, keys, out=np.ones(3, int))
    refused(TypeError, "sorted has dtype float64", sortsmith.argsort, keys, sorted=np.ones(3))
    refused(ValueError, "sorted has shape [2]", sortsmith.argsort, keys, sorted=np.ones(2, np.float32))
    refused(ValueError, "values has shape [4]", sortsmith.sort_pairs, keys, np.ones(4))
    outs = np.ones(3, np.float32), np.ones(3)
    refused(TypeError, "out[1] has dtype float64", sortsmith.sort_pairs, keys, np.ones(3, int), out=outs)
    gaps = np.ones((2, 4), np.float32)[:, :3]
    refused(ValueError, "out has rows 3 items apart; legal: 4", sortsmith.sort_rows, gaps, out=gaps.copy())


def test_arrays_that_share_memory():
    memory = np.arange(10)
    refused(ValueError, "out and keys share memory", sortsmith.sort, memory[:6], out=memory[4:])
    refused(ValueError, "out and keys share memory", sortsmith.sort, memory, out=memory)
    refused(ValueError, "sorted and keys share memory", sortsmith.argsort, memory, sorted=memory)
    refused(ValueError, "values and keys share memory", sortsmith.sort_pairs, memory[:5], memory[4:9])
    refused(ValueError, "keys and offsets share memory", sortsmith.sort_segments, memory, memory[:2])
    # Neighbours do not.
    sortsmith.sort(memory[:5], out=memory[5:])


def test_numbers():
    keys = np.ones(3, np.float32)
    refused(ValueError, "k is 4; legal: at most 3", sortsmith.topk, keys, 4)
    outs = np.ones(2, np.float32), np.ones(2, np.uint64)
    refused(TypeError, "out[1] has dtype uint64; legal: int64, uint32", sortsmith.topk, keys, 2, out=outs)
    refused(ValueError, "bits 0..33 are not bits of a f32 key", sortsmith.sort, keys, bits=(0, 33))
    with pytest.raises(OverflowError):
        sortsmith.topk(keys, -1, out=(keys, keys))
    refused(ValueError, "stream is for arrays on a device", sortsmith.sort, keys, stream=0)


def test_segments():
    keys = np.arange(5)
    segments = sortsmith.sort_segments
    refused(ValueError, "offset 1 of the segments is 6; legal: 0 to 5", segments, keys, np.array([0, 6]))
    refused(ValueError, "offset 0 of the segments is -1", segments, keys, np.array([-1, 2], np.int32))
    refused(TypeError, "offsets has dtype float64", segments, keys, np.array([0.0, 2.0]))
    refused(ValueError, "ends has shape [1]", segments, keys, np.array([0, 2]), ends=np.array([2]))
    refused(TypeError, "ends has dtype int32", segments, keys, np.array([0]), ends=np.array([2], np.int32))


def test_names_of_specs():
    with pytest.raises(ValueError, match="^name: "):
        sortsmith.header("block_radix_sort_f32")
    with pytest.raises(ValueError, match="^name: "):
        sortsmith.header("device_no_sort")
