"""The extension module, without defaults: :mod:`sortsmith` has what is called."""

from typing import Any

Compare = tuple[bool, bool, tuple[int, int] | None]
"""Whether descending, whether NaNs are last, and the range of bits."""

Of = bool | tuple[Any, Any | None]
"""False for an array, True for its rows, or the offsets of segments and their ends."""

class SortsmithError(RuntimeError): ...

def sort(keys: Any, out: Any | None, of: Of, compare: Compare, stream: Any | None) -> None: ...
def argsort(
    keys: Any, out: Any, sorted: Any | None, of: Of, compare: Compare, stream: Any | None
) -> None: ...
def sort_pairs(
    keys: Any,
    values: Any,
    out: tuple[Any, Any] | None,
    of: Of,
    compare: Compare,
    is_stable: bool,
    stream: Any | None,
) -> bool: ...
def topk(
    keys: Any, k: int, out: tuple[Any, Any], find: tuple[bool, bool, bool], stream: Any | None
) -> None: ...
def release() -> None: ...
def header(name: str, with_kernel: bool) -> str: ...
def compile(name: str, arch: int) -> bytes: ...
