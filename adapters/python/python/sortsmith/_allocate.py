"""Arrays for results, of the library that a call's keys are of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def empty(like: Any, shape: Sequence[int], dtype: str | None) -> Any:
    """An array of unspecified content where ``like`` lies, of a type by name, or of the type of ``like``."""
    for class_ in type(like).__mro__:
        match class_.__module__.partition(".")[0]:
            case "numpy":
                import numpy

                return numpy.empty(shape, dtype or like.dtype)
            case "torch":
                import torch

                dtype_ = getattr(torch, dtype) if dtype else like.dtype
                return torch.empty(tuple(shape), dtype=dtype_, device=like.device)
            case "cupy":
                import cupy

                with like.device:
                    return cupy.empty(shape, dtype or like.dtype)
    message = f"out is None, and keys is of type {type(like).__name__}; legal: an array to write to"
    raise TypeError(message)
