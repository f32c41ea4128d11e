"""``torch.sort``, ``torch.argsort`` and ``torch.topk`` with torch's signatures, by sortsmith.

>>> import pytest
>>> torch = pytest.importorskip("torch")
>>> import sortsmith.torch
>>> values, indices = sortsmith.torch.sort(torch.tensor([[3.0, 1.0, 2.0]]), descending=True)
>>> indices
tensor([[0, 2, 1]])

The results are those of torch but for this: sorts are stable whatever ``stable`` says, of equal keys ``topk`` finds those at the lowest indices, and
NaNs are ordered by their bits: one with its sign bit set counts as less than all numbers, where torch takes it for greater. ``out`` is not taken.
Each function is an operator of torch's library (``torch.ops.sortsmith``), so ``torch.compile`` traces it and CUDA graphs capture it; gradients
flow to the sorted values.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

import sortsmith

__all__ = ["argsort", "sort", "topk"]

_POSITIONS_MAX = 1 << 31
"""The longest rows with positions that int32 numbers."""

_NUMBERED_MAX = {1: 1 << 19, 2: 1 << 19, 4: 1 << 18, 8: 1 << 16}
"""By the bytes of a key, the longest arrays on a device that are sorted with int64 numbers from memory. Positions that the sort makes are int32
and converted: that takes less time of the device and more of the host's."""

_numbers: dict[torch.device, Tensor] = {}
"""The numbers from 0 on each device that has sorted a short array: 4 MiB, which stay, for graphs may read them."""


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True
) -> torch.return_types.sort:
    """The values sorted along a dimension, and the indices that they come from: ``torch.sort``."""
    del stable
    if not _is_plain(input):
        return torch.return_types.sort(torch.ops.sortsmith.sort(input, dim, descending))
    numbers = _numbers_for(input, dim)
    if numbers is None:
        return torch.return_types.sort(_sort_rows(input, dim, descending))
    return torch.return_types.sort(_sort_short(input, numbers, descending))


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The indices that sort along a dimension: ``torch.argsort``."""
    del stable
    if not _is_plain(input):
        return torch.ops.sortsmith.argsort(input, dim, descending)
    numbers = _numbers_for(input, dim)
    if numbers is None:
        return _argsort_rows(input, dim, descending)
    return _sort_short(input, numbers, descending)[1]


def topk(
    input: Tensor, k: int, dim: int = -1, largest: bool = True, sorted: bool = True
) -> torch.return_types.topk:
    """The k largest or smallest values along a dimension, and their indices: ``torch.topk``."""
    operator = _topk_rows if _is_plain(input) else torch.ops.sortsmith.topk
    return torch.return_types.topk(operator(input, k, dim, largest, sorted))


def _is_plain(input: Tensor) -> bool:
    """Whether nothing traces, differentiates or transforms the call: torch's dispatch of an operator then takes time and does nothing."""
    return (
        type(input) is Tensor
        and not input.requires_grad
        and not torch.compiler.is_compiling()
        and torch._C._len_torch_dispatch_stack() == 0
        and torch._C._functorch.peek_interpreter_stack() is None
    )


def _numbers_for(input: Tensor, dim: int) -> Tensor | None:
    """The numbers that a plain tensor is sorted with, if it is a short array on a device."""
    is_short = (
        input.dim() == 1
        and input.is_cuda
        and _is_last(input, dim)
        and input.shape[0] <= _NUMBERED_MAX.get(input.element_size(), 0)
    )
    if not is_short:
        return None
    numbers = _numbers.get(input.device)
    if numbers is None:
        # In a capture they would be written by replays alone.
        if torch.cuda.is_current_stream_capturing():
            return None
        with torch.inference_mode(False):
            numbers = torch.arange(max(_NUMBERED_MAX.values()), device=input.device)
        # Later sorts may be in other streams.
        torch.cuda.current_stream(input.device).synchronize()
        _numbers[input.device] = numbers
    return numbers[: input.shape[0]]


def _sort_short(input: Tensor, numbers: Tensor, descending: bool) -> tuple[Tensor, Tensor]:
    keys = input.contiguous()
    values, indices = torch.empty_like(keys), torch.empty_like(numbers)
    sortsmith.sort_pairs(keys, numbers, out=(values, indices), descending=descending)
    return values, indices


def _is_last(input: Tensor, dim: int) -> bool:
    return dim == -1 or dim == input.dim() - 1


def _rows(input: Tensor, dim: int) -> Tensor:
    """The tensor with this dimension last, contiguous, with one dimension at least."""
    if input.requires_grad:
        input = input.detach()
    if input.dim() == 0:
        return input.reshape(1)
    return input.contiguous() if _is_last(input, dim) else input.movedim(dim, -1).contiguous()


def _back(rows: Tensor, input: Tensor, dim: int) -> Tensor:
    """A result of rows with the dimension where it was."""
    if input.dim() == 0:
        return rows.reshape(())
    return rows if _is_last(input, dim) else rows.movedim(-1, dim).contiguous()


def _moves_positions(keys: Tensor) -> bool:
    """Whether positions that torch makes are sorted with the keys: in rows where that is faster than a sort that makes them, which are int32 and
    converted, and where int32 cannot number the keys."""
    columns = keys.shape[-1]
    if columns > _POSITIONS_MAX:
        return True
    is_short = columns <= 256 and keys.element_size() <= 4
    return keys.dim() > 1 and columns <= 1024 and not is_short


def _sort_rows(input: Tensor, dim: int, descending: bool) -> tuple[Tensor, Tensor]:
    keys = _rows(input, dim)
    values = torch.empty_like(keys)
    if _moves_positions(keys):
        indices = _sort_numbered(keys, values, descending)
    else:
        indices = _positions_of(keys, descending, values)
    return _back(values, input, dim), _back(indices, input, dim)


def _positions_of(keys: Tensor, descending: bool, values: Tensor | None) -> Tensor:
    """Positions that a sort of rows makes, as int64, and the sorted keys if there is room for them."""
    positions = torch.empty_like(keys, dtype=torch.int32)
    # Memory is taken before the sort is enqueued: then the device need not wait for the host.
    indices = torch.empty_like(keys, dtype=torch.int64)
    argsort = sortsmith.argsort if keys.dim() == 1 else sortsmith.argsort_rows
    argsort(keys, out=positions, sorted=values, descending=descending)
    return indices.copy_(positions)


def _sort_numbered(keys: Tensor, values: Tensor, descending: bool) -> Tensor:
    """Sorts the keys with their positions, and returns these, of the type that costs less where they are sorted and converted."""
    columns = keys.shape[-1]
    dtype = torch.int32 if keys.element_size() == 4 and columns <= _POSITIONS_MAX else torch.int64
    positions = torch.arange(columns, dtype=dtype, device=keys.device)
    pairs = sortsmith.sort_pairs
    if keys.dim() > 1:
        positions = positions.expand(keys.shape).contiguous()
        pairs = sortsmith.sort_pairs_rows
    indices = torch.empty_like(positions)
    pairs(keys, positions, out=(values, indices), descending=descending)
    return indices.to(torch.int64)


def _argsort_rows(input: Tensor, dim: int, descending: bool) -> Tensor:
    keys = _rows(input, dim)
    if keys.shape[-1] > _POSITIONS_MAX:
        return _sort_rows(input, dim, descending)[1]
    return _back(_positions_of(keys, descending, None), input, dim)


def _topk_rows(input: Tensor, k: int, dim: int, largest: bool, sorted: bool) -> tuple[Tensor, Tensor]:
    keys = _rows(input, dim)
    shape = (*keys.shape[:-1], k)
    values = torch.empty(shape, dtype=keys.dtype, device=keys.device)
    positions = torch.empty(shape, dtype=torch.int64, device=keys.device)
    sortsmith.topk(keys, k, out=(values, positions), largest=largest, sorted=sorted)
    return _back(values, input, dim), _back(positions, input, dim)


_sort = torch.library.custom_op("sortsmith::sort", _sort_rows, mutates_args=())
_argsort = torch.library.custom_op("sortsmith::argsort", _argsort_rows, mutates_args=())
_topk = torch.library.custom_op("sortsmith::topk", _topk_rows, mutates_args=())


@_sort.register_fake
def _(input: Tensor, dim: int, descending: bool) -> tuple[Tensor, Tensor]:
    return torch.empty(input.shape, dtype=input.dtype, device=input.device), _indices(input)


@_argsort.register_fake
def _(input: Tensor, dim: int, descending: bool) -> Tensor:
    return _indices(input)


@_topk.register_fake
def _(input: Tensor, k: int, dim: int, largest: bool, sorted: bool) -> tuple[Tensor, Tensor]:
    shape = list(input.shape)
    if shape:
        shape[dim] = k
    values = torch.empty(shape, dtype=input.dtype, device=input.device)
    return values, torch.empty(shape, dtype=torch.int64, device=input.device)


def _indices(input: Tensor) -> Tensor:
    return torch.empty(input.shape, dtype=torch.int64, device=input.device)


def _keep_indices(ctx: Any, inputs: tuple[Any, ...], output: tuple[Tensor, Tensor]) -> None:
    input, *others = inputs
    # The dimension is the argument behind the input, or behind k.
    ctx.dim = others[0] if len(others) == 2 else others[1]
    ctx.shape = input.shape
    ctx.arguments = len(others)
    ctx.save_for_backward(output[1])
    ctx.mark_non_differentiable(output[1])


def _scatter(ctx: Any, values: Tensor, indices: Tensor | None) -> tuple[Tensor | None, ...]:
    del indices
    (positions,) = ctx.saved_tensors
    gradient = values.new_zeros(ctx.shape).scatter(ctx.dim, positions, values)
    return gradient, *(None for _ in range(ctx.arguments))


_sort.register_autograd(_scatter, setup_context=_keep_indices)
_topk.register_autograd(_scatter, setup_context=_keep_indices)
