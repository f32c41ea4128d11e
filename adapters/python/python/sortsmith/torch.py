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


def sort(
    input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True
) -> torch.return_types.sort:
    """The values sorted along a dimension, and the indices that they come from: ``torch.sort``."""
    del stable
    operator = _sort_rows if _is_plain(input) else torch.ops.sortsmith.sort
    return torch.return_types.sort(operator(input, dim, descending))


def argsort(input: Tensor, dim: int = -1, descending: bool = False, stable: bool = True) -> Tensor:
    """The indices that sort along a dimension: ``torch.argsort``."""
    del stable
    operator = _argsort_rows if _is_plain(input) else torch.ops.sortsmith.argsort
    return operator(input, dim, descending)


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


def _is_last(input: Tensor, dim: int) -> bool:
    return dim == -1 or dim == input.dim() - 1


def _rows(input: Tensor, dim: int) -> Tensor:
    """The tensor with this dimension last, contiguous, with one dimension at least."""
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
        argsort = sortsmith.argsort if keys.dim() == 1 else sortsmith.argsort_rows
        positions = torch.empty_like(keys, dtype=torch.int32)
        indices = argsort(keys, out=positions, sorted=values, descending=descending)
    return _back(values, input, dim), _back(indices.to(torch.int64), input, dim)


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
    return indices


def _argsort_rows(input: Tensor, dim: int, descending: bool) -> Tensor:
    keys = _rows(input, dim)
    if keys.shape[-1] > _POSITIONS_MAX:
        return _sort_rows(input, dim, descending)[1]
    positions = torch.empty_like(keys, dtype=torch.int32)
    argsort = sortsmith.argsort if keys.dim() == 1 else sortsmith.argsort_rows
    argsort(keys, out=positions, descending=descending)
    return _back(positions.to(torch.int64), input, dim)


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
