"""Compiled code on the disk: one file for each kernel and types of arguments, behind a digest.

Files are written under a temporary name and renamed, so a process that is killed leaves no half of
one; what was damaged later on is not what its digest says, and is compiled again.
"""

import hashlib
import pickle
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from numba.core.caching import NullCache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from sim42.files import write_file

DIGEST_SIZE = 32
_listeners: list[Callable[[bool], object]] = []
_warned_of: set[Path] = set()


@contextmanager
def on_compile(listener: Callable[[bool], object]) -> Iterator[None]:
    """Call `listener` before a kernel is compiled: whether damaged code of it was found.

    What the listener raises comes out of the call that needed the kernel, instead of its result.
    """
    _listeners.append(listener)
    try:
        yield
    finally:
        _listeners.remove(listener)


class CodeFiles(NullCache):
    """The compiled code of one kernel in a folder; without a folder none is found nor kept."""

    def __init__(self, name: str, folder: Path | None) -> None:
        self.name = name
        self.folder = folder

    def load_overload(self, types: Any, target_context: Any) -> Any:
        target_context.refresh()
        code, damaged = self._read(types, target_context.codegen())
        if code is not None:
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(code))  # noqa: SLF001
            except Exception:  # noqa: BLE001 - whatever another build of the compiler wrote
                damaged = True
        for listener in _listeners:
            listener(damaged)
        return None

    def save_overload(self, types: Any, result: Any) -> None:
        if self.folder is None:
            return
        code = dumps(result._reduce())  # noqa: SLF001
        try:
            write_file(self._file(types, result.codegen), hashlib.sha256(code).digest() + code)
        except OSError as error:
            if self.folder in _warned_of:  # once for all kernels
                return
            _warned_of.add(self.folder)
            warnings.warn(
                f"{self.folder}: {error.strerror}; compiled code is not kept, so other runs"
                " compile anew; set NUMBA_CACHE_DIR to a folder with room",
                RuntimeWarning,
                stacklevel=2,
            )

    def _read(self, types: Any, codegen: Any) -> tuple[bytes | None, bool]:
        """The code, and whether it was there but is damaged."""
        if self.folder is None:
            return None, False
        try:
            data = self._file(types, codegen).read_bytes()
        except OSError:
            return None, False
        digest, code = data[:DIGEST_SIZE], data[DIGEST_SIZE:]
        whole = hashlib.sha256(code).digest() == digest
        return (code, False) if whole else (None, True)

    def _file(self, types: Any, codegen: Any) -> Path:
        """The file for these types of arguments on this kind of processor."""
        assert self.folder is not None
        key = hashlib.sha256(repr((types, codegen.magic_tuple())).encode()).hexdigest()
        return self.folder / f"{self.name}-{key[:16]}.code"
