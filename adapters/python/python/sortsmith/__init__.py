"""Stable sorts on NVIDIA GPUs and on the host, with the same result bit for bit.

Arrays on a GPU (PyTorch, CuPy, JAX: anything with ``__dlpack__`` or ``__cuda_array_interface__``) are sorted there, without a copy
and in the order of the caller's stream; no call waits for the device. NumPy arrays, and other arrays on the host, are sorted by all
cores of the host, without the GIL.

>>> import numpy as np, sortsmith
>>> keys = np.array([3.0, -0.0, np.nan, 1.0], np.float32)
>>> sortsmith.argsort(keys)
array([1, 3, 0, 2], dtype=uint32)
>>> sortsmith.sort(keys)
array([-0.,  1.,  3., nan], dtype=float32)

Keys are of the types ``bool``, ``int8`` to ``int64``, ``uint8`` to ``uint64``, ``float16``, ``bfloat16``, ``float32`` and
``float64``. Values are of any type of plain items. Values of 4 or 8 bytes move with their keys; others are taken by the positions of an argsort, which
takes longer, and are refused with segments and with ``stream``.

All functions take these arguments:

``descending``
    The largest key first. Equal keys keep their order all the same.
``nan_last``
    All NaNs last, in either order. Without it a NaN is ordered by its bits: those with their sign bit set come first, the others last,
    and descending the other way round.
``bits``
    A range ``(begin, end)`` of the key's bits, of which alone the order depends; bit 0 is the lowest, and floats and signed
    integers are mapped to unsigned ones of the same order first.
``stream``
    For arrays on a device: the stream that the sort is enqueued on, as a handle or an object of PyTorch's, CuPy's or cuda.core's. The default is
    the current stream of the first array's library, or the legacy default stream where the library has none.

Arrays of one call lie apart in memory, on one device or on the host, and aligned; the last dimension is contiguous. No other thread may write them while
the call runs. What a call cannot do it refuses, with a ``TypeError`` or ``ValueError`` that names the argument and what is legal; a
missing driver or compiler is a :class:`sortsmith.Error`.
"""

from __future__ import annotations

from typing import Any, TypeVar

from . import _native, _positions
from ._allocate import empty
from ._native import SortsmithError as Error

__all__ = [
    "Error",
    "argsort",
    "argsort_rows",
    "argsort_segments",
    "compile",
    "header",
    "release",
    "sort",
    "sort_pairs",
    "sort_pairs_rows",
    "sort_pairs_segments",
    "sort_rows",
    "sort_segments",
    "topk",
]

Array = TypeVar("Array")
Bits = tuple[int, int]


def sort(
    keys: Array,
    *,
    out: Array | None = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """Sorts the keys of an array of one dimension in place, or to ``out``. Returns the sorted array.

    >>> import numpy as np, sortsmith
    >>> keys = np.array([5, -1, 3])
    >>> sortsmith.sort(keys, out=np.empty_like(keys), descending=True)
    array([ 5,  3, -1])
    >>> keys
    array([ 5, -1,  3])
    """
    _native.sort(keys, out, False, (descending, nan_last, bits), stream)
    return keys if out is None else out


def argsort(
    keys: Any,
    *,
    out: Array | None = None,
    sorted: Any = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """The positions that the keys of an array of one dimension would be sorted from: ``keys[result[0]]`` is the least key.

    ``out`` is of type ``uint32``, or ``int32`` for at most 2**31 keys. Without it, a NumPy, PyTorch or CuPy array is made. The sorted keys
    are written too, by the same sort, to an array that is given as ``sorted``.

    >>> import numpy as np, sortsmith
    >>> keys = np.array([0.5, -2.0, 9.0, -2.0])
    >>> ordered = np.empty_like(keys)
    >>> sortsmith.argsort(keys, sorted=ordered)
    array([1, 3, 0, 2], dtype=uint32)
    >>> ordered
    array([-2. , -2. ,  0.5,  9. ])
    """
    out = empty(keys, keys.shape, "uint32") if out is None else out
    _native.argsort(keys, out, sorted, False, (descending, nan_last, bits), stream)
    return out


def sort_pairs(
    keys: Array,
    values: Array,
    *,
    out: tuple[Array, Array] | None = None,
    stable: bool = True,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> tuple[Array, Array]:
    """Sorts keys and moves each value with its key, in place or to the arrays ``out``. Returns both sorted arrays.

    With ``stable=False`` values of equal keys may come in any order, which can be faster; with ``out`` they keep it all the same.

    >>> import numpy as np, sortsmith
    >>> keys, names = np.array([2, 1, 2], np.uint8), np.array(["b", "a", "c"])
    >>> sortsmith.sort_pairs(keys, names)
    (array([1, 2, 2], dtype=uint8), array(['a', 'b', 'c'], dtype='<U1'))
    """
    compare = (descending, nan_last, bits)
    if not _native.sort_pairs(keys, values, out, False, compare, stable, stream):
        _positions.sort_pairs(keys, values, out, False, compare)
    return (keys, values) if out is None else out


def sort_rows(
    keys: Array,
    *,
    out: Array | None = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """Sorts each row, along the last dimension, in place or to ``out``. Returns the sorted array.

    Rows may have gaps between them, as those of a slice of columns have; ``out`` then has the same strides.

    >>> import numpy as np, sortsmith
    >>> keys = np.array([[3, 1, 2, 0], [9, 8, 7, 0]])
    >>> _ = sortsmith.sort_rows(keys[:, :3])
    >>> keys
    array([[1, 2, 3, 0],
           [7, 8, 9, 0]])
    """
    _native.sort(keys, out, True, (descending, nan_last, bits), stream)
    return keys if out is None else out


def argsort_rows(
    keys: Any,
    *,
    out: Array | None = None,
    sorted: Any = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """The columns that the keys of each row would be sorted from. ``out`` and ``sorted`` are as for :func:`argsort`.

    >>> import numpy as np, sortsmith
    >>> sortsmith.argsort_rows(np.array([[0.5, -2.0, 1.0], [9.0, 7.0, 8.0]]))
    array([[1, 0, 2],
           [1, 2, 0]], dtype=uint32)
    """
    out = empty(keys, keys.shape, "uint32") if out is None else out
    _native.argsort(keys, out, sorted, True, (descending, nan_last, bits), stream)
    return out


def sort_pairs_rows(
    keys: Array,
    values: Array,
    *,
    out: tuple[Array, Array] | None = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> tuple[Array, Array]:
    """Sorts each row and moves each value with its key, in place or to the arrays ``out``. Returns both sorted arrays.

    >>> import numpy as np, sortsmith
    >>> distances, ids = np.array([[0.5, 0.25], [4.0, 2.0]]), np.array([[7, 8], [9, 10]])
    >>> sortsmith.sort_pairs_rows(distances, ids)[1]
    array([[ 8,  7],
           [10,  9]])
    """
    compare = (descending, nan_last, bits)
    if not _native.sort_pairs(keys, values, out, True, compare, True, stream):
        _positions.sort_pairs(keys, values, out, True, compare)
    return (keys, values) if out is None else out


def sort_segments(
    keys: Array,
    offsets: Any,
    *,
    ends: Any = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """Sorts each segment of an array of one dimension in place. Returns the array.

    Segment i is ``offsets[i]`` to ``offsets[i + 1]``, or with ``ends`` ``offsets[i]`` to ``ends[i]``. Offsets are of type ``int32``,
    ``int64`` or ``uint64``, and lie where the keys do. On the host wrong ones are a ``ValueError``; on a device they are not looked at
    by the host, and a segment that they do not describe is left in an unspecified order.

    >>> import numpy as np, sortsmith
    >>> sortsmith.sort_segments(np.array([5, 4, 3, 2, 1]), np.array([0, 2, 5]))
    array([4, 5, 1, 2, 3])
    """
    _native.sort(keys, None, (offsets, ends), (descending, nan_last, bits), stream)
    return keys


def argsort_segments(
    keys: Any,
    offsets: Any,
    *,
    ends: Any = None,
    out: Array | None = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> Array:
    """The positions within its segment that each key would be sorted from; see :func:`sort_segments`.

    ``out`` is as for :func:`argsort`; items outside of the segments are not written.

    >>> import numpy as np, sortsmith
    >>> sortsmith.argsort_segments(np.array([5, 4, 3, 2, 1]), np.array([0, 2, 5]))
    array([1, 0, 2, 1, 0], dtype=uint32)
    """
    out = empty(keys, keys.shape, "uint32") if out is None else out
    _native.argsort(keys, out, None, (offsets, ends), (descending, nan_last, bits), stream)
    return out


def sort_pairs_segments(
    keys: Array,
    values: Array,
    offsets: Any,
    *,
    ends: Any = None,
    descending: bool = False,
    nan_last: bool = False,
    bits: Bits | None = None,
    stream: Any = None,
) -> tuple[Array, Array]:
    """Sorts each segment in place and moves each value with its key; see :func:`sort_segments`. Returns both arrays.

    >>> import numpy as np, sortsmith
    >>> sortsmith.sort_pairs_segments(np.array([2, 1, 9, 8]), np.array([0, 1, 2, 3]), np.array([0, 2, 4]))[1]
    array([1, 0, 3, 2])
    """
    compare = (descending, nan_last, bits)
    _native.sort_pairs(keys, values, None, (offsets, ends), compare, True, stream)
    return keys, values


def topk(
    keys: Array,
    k: int,
    *,
    out: tuple[Array, Array] | None = None,
    largest: bool = True,
    sorted: bool = True,
    nan_last: bool = False,
    stream: Any = None,
) -> tuple[Array, Array]:
    """The k largest keys along the last dimension, or the smallest, and their positions.

    Of equal keys those at the lowest positions are found. With ``sorted=False`` they come in the order of their positions, which is
    faster. ``out`` has an array of the keys' type and one of positions, of a type as for :func:`argsort` or of int64, without gaps.

    >>> import numpy as np, sortsmith
    >>> sortsmith.topk(np.array([[0.1, 0.7, 0.2], [0.3, 0.3, 0.4]]), 2)
    (array([[0.7, 0.2],
           [0.4, 0.3]]), array([[1, 2],
           [2, 0]], dtype=uint32))
    """
    if out is None:
        shape = (*keys.shape[:-1], k)
        out = empty(keys, shape, None), empty(keys, shape, "uint32")
    _native.topk(keys, k, out, (largest, sorted, nan_last), stream)
    return out


def release() -> None:
    """Frees the device memory that sorts keep for the next one, as large as the largest needed, when the enqueued work is done.

    >>> import sortsmith
    >>> sortsmith.release()
    """
    _native.release()


def header(name: str, *, tile_kernel: bool = False) -> str:
    """The CUDA header of a spec's name, which includes nothing: for ``cupy.RawModule``, NVRTC or nvcc.

    The name says what is sorted and how. With ``tile_kernel`` the header of a block's or a warp's sort has a kernel ``NAME_tile`` as well.

    >>> import sortsmith
    >>> "struct block_radix_sort_f32_u32_b256_i16_r6_desc" in sortsmith.header("block_radix_sort_f32_u32_b256_i16_r6_desc")
    True
    """
    return _native.header(name, tile_kernel)


def compile(name: str, arch: int) -> bytes:
    """The kernels of a spec's name as a cubin for a compute capability without its dot, such as 90, compiled by NVRTC.

    A block's or a warp's sort has the kernel ``NAME_tile``.
    """
    return _native.compile(name, arch)
