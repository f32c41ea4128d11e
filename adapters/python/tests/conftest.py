"""What the tests share: random keys with the cases that sorts get wrong, and numpy's stable sorts of them."""

import numpy as np
import pytest

import sortsmith

INTEGERS = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
KEYS = ["bool", *INTEGERS, *FLOATS]


def random_keys(rng, dtype, shape):
    """Random keys: of all bits, of a few values, in order, or equal; floats with NaNs of both signs, zeros of both and infinities."""
    dtype = np.dtype(dtype)
    kind = rng.integers(5)
    if dtype == bool:
        return rng.integers(0, 2, shape).astype(bool)
    items = int(np.prod(shape))
    keys = np.frombuffer(rng.bytes(items * dtype.itemsize), dtype).reshape(shape).copy()
    if kind == 1:
        chosen = keys.reshape(-1)[: rng.integers(1, 5)]
        keys = rng.choice(chosen, shape) if chosen.size else keys
    elif kind == 2:
        keys = np.sort(keys, axis=-1)
    elif kind == 3 and items:
        keys[...] = keys.reshape(-1)[0]
    elif kind == 4 and dtype.kind == "f":
        special = np.array([np.nan, -np.nan, 0.0, -0.0, np.inf, -np.inf, 1.5, -1.5], dtype)
        keys = rng.choice(special, shape)
    return keys


def random_shape(rng):
    """One to three dimensions, some of length 0."""
    dimensions = int(rng.integers(1, 4))
    longest = {1: 2000, 2: 80, 3: 16}[dimensions]
    return tuple(int(length) for length in rng.integers(0, longest, dimensions))


def ordered_bits(keys):
    """Unsigned numbers that are ordered as the keys are: the reference of what is documented."""
    unsigned = np.dtype(f"u{keys.dtype.itemsize}")
    sign = unsigned.type(1 << (8 * unsigned.itemsize - 1))
    bits = np.ascontiguousarray(keys).view(unsigned)
    if keys.dtype.kind == "i":
        return bits ^ sign
    if keys.dtype.kind != "f":
        return bits
    bits = np.where(bits == sign, unsigned.type(0), bits)  # zeros are equal
    return np.where(bits & sign != 0, ~bits, bits | sign)


def positions(keys, descending=False, nan_last=False, bits=None):
    """The positions that a stable sort along the last dimension takes keys from."""
    ordered = ordered_bits(keys)
    largest = ordered.dtype.type(-1 + (1 << (8 * ordered.itemsize)))
    if nan_last and keys.dtype.kind == "f":
        ordered = np.where(np.isnan(keys), ordered.dtype.type(0) if descending else largest, ordered)
    if bits is not None:
        begin, end = bits
        mask = ((1 << end) - 1) >> begin << begin
        ordered = ordered & ordered.dtype.type(mask)
    if descending:
        ordered = ~ordered
    return np.argsort(ordered, axis=-1, kind="stable")


def same(one, other):
    """Whether arrays are equal bit for bit."""
    one, other = np.ascontiguousarray(one), np.ascontiguousarray(other)
    return one.shape == other.shape and one.dtype == other.dtype and one.tobytes() == other.tobytes()


@pytest.fixture
def rng(request):
    """Another seed for each test, the same in each run."""
    return np.random.default_rng(list(request.node.nodeid.encode()))


@pytest.fixture(autouse=True)
def names(doctest_namespace):
    doctest_namespace["sortsmith"] = sortsmith
