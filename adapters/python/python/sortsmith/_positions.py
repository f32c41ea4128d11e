"""Sorts of pairs with values that no sort moves: they are taken by the positions of an argsort, by the library of the arrays."""

from __future__ import annotations

from typing import Any

from . import _native
from ._allocate import empty


def sort_pairs(keys: Any, values: Any, out: tuple[Any, Any] | None, of: bool, compare: tuple[bool, bool, Any]) -> None:
    """Sorts pairs that :func:`sortsmith._native.sort_pairs` has found legal and left as they are."""
    sorted_keys, sorted_values = (keys, values) if out is None else out
    library = _library(values)
    if library is None or any(_library(array) != library for array in (keys, sorted_keys, sorted_values)):
        message = f"values has dtype {values.dtype}; legal: items of 4 or 8 bytes, or arrays of NumPy, PyTorch or CuPy alone"
        raise TypeError(message)
    order = empty(values, values.shape, "int32" if library == "torch" else "uint32")
    _native.argsort(keys, order, None, of, compare, None)
    if library == "torch":
        _take_tensor(values, order, sorted_values)
    else:
        _take_array(library, values, order, sorted_values)
    _native.sort(keys, None if out is None else sorted_keys, of, compare, None)


def _library(array: Any) -> str | None:
    """The library of an array, if it is one that takes items by positions."""
    for class_ in type(array).__mro__:
        library = class_.__module__.partition(".")[0]
        if library in ("numpy", "torch", "cupy"):
            return library
    return None


def _take_array(library: str, values: Any, order: Any, sorted_values: Any) -> None:
    if library == "numpy":
        import numpy as np
    else:
        import cupy as np
    sorted_values[...] = np.take_along_axis(values, order, -1)


def _take_tensor(values: Any, order: Any, sorted_values: Any) -> None:
    import torch

    # Items of any type are taken as plain ones of their size.
    plain = {1: torch.uint8, 2: torch.int16, 16: torch.complex128}[values.element_size()]
    taken = values.view(plain).gather(-1, order.to(torch.int64))
    sorted_values.view(plain).copy_(taken)
