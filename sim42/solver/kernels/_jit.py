"""The decorators of compiled code, and where its machine code is kept between runs.

Code is compiled for all that it calls, so the folder is named after a hash of all kernels' sources
and of what compiles them: after an upgrade or an edit the next run compiles anew, and never runs
stale code.
"""

import hashlib
import os
import platform
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core import config as config
from platformdirs import user_cache_path

from sim42.solver.kernels._cache import CodeFiles


def _sources_hash() -> str:
    versions = platform.python_version(), *(m.__version__ for m in (numba, llvmlite, np))
    digest = hashlib.sha256(repr(versions).encode())
    for source in sorted(Path(__file__).parent.glob("*.py")):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _cache_folder() -> Path | None:
    """A folder that can be written, below NUMBA_CACHE_DIR where set; None when there is none."""
    root = os.environ.get("NUMBA_CACHE_DIR")
    folder = (Path(root) if root else user_cache_path("sim42")) / f"kernels-{_sources_hash()}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK | os.X_OK):
            return folder
    except OSError:
        pass
    warnings.warn(
        f"{folder} cannot be written, so every run compiles anew;"
        " set NUMBA_CACHE_DIR to a folder that can",
        RuntimeWarning,
        stacklevel=2,
    )
    return None


CACHE_FOLDER = None if config.DISABLE_JIT else _cache_folder()


def cache_state() -> str:
    """The folder that keeps compiled code, or why there is none."""
    if config.DISABLE_JIT:
        return "none: nothing is compiled"
    return str(CACHE_FOLDER or "none: every run compiles anew")


def kernel(function: Callable[..., Any]) -> Any:
    """Compile on first call, without the interpreter lock; keep the result in `CACHE_FOLDER`."""
    if config.DISABLE_JIT:
        return function
    dispatcher = numba.njit(nogil=True)(function)
    # Instead of numba's own files, as its `enable_caching` puts those there.
    dispatcher._cache = CodeFiles(function.__name__, CACHE_FOLDER)  # noqa: SLF001
    return dispatcher


def inlined(function: Callable[..., Any]) -> Any:
    """Compile into every kernel that calls it: a part with a name, which Python never calls."""
    if config.DISABLE_JIT:
        return function
    parts = {"forceinline": True, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}
    return numba.njit(nogil=True, **parts)(function)
