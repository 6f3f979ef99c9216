"""The one way to write a file, whole or not at all, and the one lock.

A file is written under another name in the same folder, put on the disk, and then renamed, so
whoever looks finds the old content or the new one, and never a part.
"""

import os
import re
import secrets
import stat
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

TEMPORARY: Final = re.compile(r"\.sim42-[0-9a-f]{16}\.tmp")
"""Names of files that are being written; one is left only where a process was killed."""
_DESCRIPTOR: Final = re.compile(r"/dev/(?:fd/([0-9]{1,9})|stdin|stdout|stderr)")
_STREAMS: Final = ("/dev/stdin", "/dev/stdout", "/dev/stderr")


def write_file(
    path: str | os.PathLike[str], data: bytes | Iterable[bytes], *, replace: bool = True
) -> None:
    """Write a file whole or not at all, and have it on the disk.

    A file that is replaced keeps its mode, and a link stays a link. A pipe, a device or an open
    descriptor (``/dev/stdout``, ``/dev/fd/63``) is written to as it is.

    Parameters
    ----------
    path : str or path
        The file.
    data : bytes, or an iterable of bytes
        All that it shall hold, at once or in pieces.
    replace : bool
        Whether a file of that name may be replaced, else it stays as it is.

    Raises
    ------
    FileExistsError
        When there is such a file by now, and it is not to be replaced.
    OSError
        When it cannot be written; `filename` is always the path.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_file(f"{folder}/counts", b"1 2 3")
    ...     Path(folder, "counts").read_bytes(), len(os.listdir(folder))
    (b'1 2 3', 1)
    """
    pieces = [data] if isinstance(data, bytes) else data
    try:
        if (descriptor := descriptor_of(path)) is not None:
            with open(os.dup(descriptor), "wb") as file:  # noqa: PTH123
                file.writelines(pieces)
        elif is_stream(path):
            with Path(path).open("wb") as file:
                file.writelines(pieces)
        else:
            _write_whole(Path(os.path.realpath(path)), pieces, replace)
    except OSError as error:
        # A full disk does not say where, and the temporary name means nothing to anyone.
        raise OSError(error.errno, error.strerror, os.fspath(path)) from None


def descriptor_of(path: str | os.PathLike[str]) -> int | None:
    """The descriptor of this process that a path stands for, where it stands for one.

    >>> descriptor_of("/dev/stdout"), descriptor_of("/dev/fd/63"), descriptor_of("/dev/null")
    (1, 63, None)
    """
    name = os.path.normpath(path)
    if not (match := _DESCRIPTOR.fullmatch(name)):
        return None
    return int(match[1]) if match[1] else _STREAMS.index(name)


def is_stream(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a pipe, a device or an open descriptor: written to, never replaced.

    >>> is_stream("/dev/fd/1"), is_stream("no such file")
    (True, False)
    """
    if descriptor_of(path) is not None:
        return True
    try:
        mode = os.stat(path).st_mode  # noqa: PTH116 - asks the system, which knows links to pipes
    except (OSError, ValueError):
        return False
    return not (stat.S_ISREG(mode) or stat.S_ISDIR(mode))


def _write_whole(target: Path, pieces: Iterable[bytes], replace: bool) -> None:
    temporary = target.with_name(f".sim42-{secrets.token_hex(8)}.tmp")
    try:
        with temporary.open("xb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if replace:
            with suppress(FileNotFoundError):
                temporary.chmod(stat.S_IMODE(target.stat().st_mode))
            temporary.replace(target)
        else:
            _rename_to_new(temporary, target)
    finally:
        temporary.unlink(missing_ok=True)


def _rename_to_new(temporary: Path, target: Path) -> None:
    """Rename a file unless there is one of that name."""
    try:
        target.hardlink_to(temporary)
    except FileExistsError:
        raise
    except OSError:  # a disk without hard links: take the name first
        target.open("xb").close()
        temporary.replace(target)


@contextmanager
def lock(path: str | os.PathLike[str]) -> Iterator[None]:
    """Hold a lock that no two processes hold at once, on systems without `fcntl` too.

    It ends with its process, however that ends.

    Raises
    ------
    BlockingIOError
        When another holds it.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, lock(f"{folder}/lock"):
    ...     try:
    ...         with lock(f"{folder}/lock"):
    ...             pass
    ...     except BlockingIOError:
    ...         print("held by another")
    held by another
    """
    import warnings

    with warnings.catch_warnings(action="ignore"):  # that of a system without `fcntl`
        from filelock import FileLock, Timeout

    held = FileLock(path)
    try:
        held.acquire(timeout=0)
    except Timeout:
        raise BlockingIOError(f"{os.fspath(path)}: held by another") from None
    try:
        yield
    finally:
        held.release()
