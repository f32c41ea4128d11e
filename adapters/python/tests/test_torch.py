"""sortsmith.torch against torch: on the host, and on a GPU where there is one. Left out where there is no PyTorch."""

import os

import numpy as np
import pytest

torch = pytest.importorskip("torch")
import sortsmith  # noqa: E402
import sortsmith.torch as ours  # noqa: E402

DEVICES = ["cpu", *(["cuda"] if torch.cuda.is_available() else [])]
DTYPES = [
    torch.uint8,
    torch.int8,
    torch.int16,
    torch.int32,
    torch.int64,
    torch.bool,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.float64,
]


def random_tensor(rng, dtype, device):
    dimensions = int(rng.integers(0, 4))
    longest = [1, 3000, 200, 40][dimensions]
    shape = [int(it) for it in rng.integers(1, longest + 1, dimensions)]
    if rng.integers(2):
        tensor = torch.from_numpy(rng.integers(-20, 20, shape))
    else:
        tensor = torch.from_numpy(np.asarray(rng.normal(0, 50, shape)))
        if dtype.is_floating_point and rng.integers(2):
            tensor = torch.where(torch.rand(shape) < 0.1, torch.nan, tensor)
    tensor = tensor.to(dtype).to(device)
    if tensor.dim() > 1 and rng.integers(2):
        tensor = tensor.transpose(0, -1)
    return tensor


def positive_nans(tensor):
    return torch.where(tensor.isnan(), abs(torch.tensor(torch.nan, dtype=tensor.dtype)), tensor) if tensor.dtype.is_floating_point else tensor


def equal(one, other):
    return one.shape == other.shape and one.dtype == other.dtype and torch.equal(
        one.nan_to_num(nan=1e4) if one.dtype.is_floating_point else one,
        other.nan_to_num(nan=1e4) if other.dtype.is_floating_point else other,
    )


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("dtype", DTYPES)
def test_the_results_are_those_of_torch(dtype, device, rng):
    for _ in range(int(os.environ.get("SORTSMITH_TENSORS", "60"))):
        tensor = positive_nans(random_tensor(rng, dtype, device))
        dim = int(rng.integers(-tensor.dim(), tensor.dim())) if tensor.dim() else -1
        descending = bool(rng.integers(2))
        theirs = torch.sort(tensor, dim=dim, descending=descending, stable=True)
        result = ours.sort(tensor, dim, descending)
        assert equal(result.values, theirs.values) and torch.equal(result.indices, theirs.indices)
        indices = ours.argsort(tensor, dim=dim, descending=descending)
        assert torch.equal(indices, theirs.indices)
        length = tensor.shape[dim] if tensor.dim() else 1
        k = int(rng.integers(0, length + 1)) if tensor.dim() else 1
        found = ours.topk(tensor, k, dim=dim, largest=descending)
        first = theirs.indices.narrow(dim, 0, k) if tensor.dim() else theirs.indices
        assert torch.equal(found.indices, first)
        assert equal(found.values, torch.gather(tensor, dim, first) if tensor.dim() else tensor)


@pytest.mark.parametrize("device", DEVICES)
def test_values_of_any_size_move_with_their_keys(device):
    keys = torch.randint(9, (40, 30), device=device).to(torch.float32)
    order = torch.argsort(keys, stable=True)
    for dtype in (torch.bool, torch.int8, torch.int16, torch.bfloat16, torch.float64, torch.complex128):
        values = torch.randint(50, (40, 30), device=device).to(dtype)
        expected = torch.take_along_dim(values, order, -1)
        out = torch.empty_like(keys), torch.empty_like(values)
        assert sortsmith.sort_pairs_rows(keys, values, out=out) is out
        assert torch.equal(out[0], keys.sort().values) and torch.equal(out[1], expected)
        row, its = keys[3].clone(), values[3].clone()
        sortsmith.sort_pairs(row, its)
        assert torch.equal(row, out[0][3]) and torch.equal(its, expected[3])


@pytest.mark.parametrize("device", DEVICES)
def test_a_resized_output_is_an_error_or_right(device):
    keys = torch.randint(100, (1000,), device=device)
    out = torch.empty(0, dtype=keys.dtype, device=device)
    with pytest.raises(ValueError, match=r"out has shape \[0\]; legal: \[1000\]"):
        sortsmith.sort(keys, out=out)
    out.resize_(1000)
    assert torch.equal(sortsmith.sort(keys, out=out), keys.sort().values)
    # A tensor that is freed or given another memory behind the call does not disturb the sort.
    expected = keys.sort().values
    sortsmith.sort(keys, out=out)
    kept = out[:1000]
    out.resize_(1 << 20)
    assert kept.numel() == 1000 and torch.equal(out[:1000], expected)


@pytest.mark.parametrize("device", DEVICES)
def test_gradients(device):
    keys = torch.randn(5, 7, dtype=torch.float64, device=device, requires_grad=True)
    assert torch.autograd.gradcheck(lambda keys: ours.sort(keys, 0).values, keys)
    assert torch.autograd.gradcheck(lambda keys: ours.topk(keys, 3, 1, False).values, keys)


@pytest.mark.parametrize("device", DEVICES)
def test_operators_are_registered_as_torch_asks(device):
    keys = torch.randn(5, 7, device=device)
    for requires_grad in (False, True):
        sample = keys.clone().requires_grad_(requires_grad)
        torch.library.opcheck(torch.ops.sortsmith.sort.default, (sample, -1, False))
        torch.library.opcheck(torch.ops.sortsmith.argsort.default, (sample.detach(), 0, True))
        torch.library.opcheck(torch.ops.sortsmith.topk.default, (sample, 3, -1, True, True))


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")
def test_compiled_functions_and_graphs():
    def best(logits):
        values, indices = ours.topk(logits * 2, 50)
        return values.softmax(-1), indices

    logits = torch.randn(8, 4000, device="cuda")
    expected = best(logits)
    for mode in ("default", "reduce-overhead"):
        compiled = torch.compile(best, mode=mode, fullgraph=True)
        for _ in range(3):
            values, indices = compiled(logits)
            assert torch.equal(indices, expected[1])
            torch.testing.assert_close(values, expected[0])


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")
@pytest.mark.parametrize("dtype", [torch.uint8, torch.bfloat16, torch.float32, torch.int64])
def test_arrays_around_the_longest_that_are_numbered(dtype):
    longest = ours._NUMBERED_MAX[torch.empty(0, dtype=dtype).element_size()]
    for n in (0, 1, 5, longest - 1, longest, longest + 1):
        source = torch.randint(200, (n,), device="cuda").to(dtype)
        theirs = torch.sort(source, stable=True, descending=True)
        for stream in (torch.cuda.current_stream(), torch.cuda.Stream()):
            stream.wait_stream(torch.cuda.current_stream())
            with torch.cuda.stream(stream), torch.inference_mode(n % 2 == 0):
                result = ours.sort(source, descending=True)
                indices = ours.argsort(source, descending=True)
            stream.synchronize()
            assert torch.equal(result.values, theirs.values) and torch.equal(result.indices, theirs.indices)
            assert indices.dtype == torch.int64 and torch.equal(indices, theirs.indices)


@pytest.mark.skipif("cuda" not in DEVICES, reason="no GPU")
@pytest.mark.parametrize("is_numbered", [False, True])
def test_a_graph_of_a_short_sort_replays(is_numbered):
    keys = torch.zeros(3000, device="cuda")
    ours._numbers.clear()
    if is_numbered:
        ours.sort(keys)
    else:
        torch.ops.sortsmith.sort(keys, -1, False)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        values, indices = ours.sort(keys)
    assert bool(ours._numbers) == is_numbered
    for _ in range(5):
        source = torch.randn(3000, device="cuda")
        keys.copy_(source)
        graph.replay()
        ours.sort(torch.randn(100_000, device="cuda"))
        expected = torch.sort(source, stable=True)
        torch.cuda.synchronize()
        assert torch.equal(values, expected.values) and torch.equal(indices, expected.indices)
        if not is_numbered:
            ours._numbers.clear()
