"""Where results go: stdout or a file that is written whole or not at all."""

import errno
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, TypeVar

import click

from sim42.errors import RequestError

Command = TypeVar("Command", bound=Callable[..., Any])

ENDINGS: Final = {
    ".txt": "table",
    **{f".{name}": name for name in ("json", "jsonl", "csv", "parquet", "png", "svg", "pdf")},
}
PICTURES: Final = ("png", "svg", "pdf")


def output_options(*formats: str) -> Callable[[Command], Command]:
    """``--format``, ``-o`` and ``--force`` for these formats, the first of them by default."""

    def decorate(command: Command) -> Command:
        command = click.option("--force", is_flag=True, help="Replace files that exist.")(command)
        command = click.option(
            "-o",
            "--output",
            metavar="FILE",
            help="Write here instead of to stdout; the ending gives the format.",
        )(command)
        return click.option(
            "--format",
            "format_",
            type=click.Choice(formats),
            help=f"Format of the result; {formats[0]} when not given.",
        )(command)

    return decorate


def settle_target(
    path: str | None, force: bool, formats: tuple[str, ...], format_: str | None = None
) -> str:
    """The format to write, once it is sure before any work that the target may be written.

    It is the format asked for, else the one that the file's ending names, else the first.

    Raises
    ------
    RequestError
        When the file exists and is not to be replaced, is a folder, its folder is missing, or its
        ending names none of `formats`.
    PermissionError
        When the folder may not be written.
    """
    if path is None or path == "-":
        return format_ or formats[0]
    _check_target(path, force)
    if format_ is not None:
        return format_
    ending = Path(path).suffix.lower()
    if ENDINGS.get(ending) not in formats:
        known = ", ".join(end for end, name in ENDINGS.items() if name in formats)
        raise RequestError(f"{path}: unknown ending; one of {known}, or say --format")
    return ENDINGS[ending]


def _check_target(path: str, force: bool) -> None:
    if not path:
        raise RequestError("the name of the output is empty; name a file, or - for stdout")
    target = _real(path)
    if target.is_dir():
        raise RequestError(f"{path}: is a folder; name a file")
    if _is_device(target):
        return
    if target.exists() and not force:
        raise RequestError(f"{path}: exists; --force replaces it")
    if not target.parent.is_dir():
        raise RequestError(f"{path}: there is no folder {target.parent}; make it first")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def write_whole(path: str | None, data: str | bytes) -> None:
    """Write to the file by a temporary name and a rename, or to stdout for None and ``-``.

    A link stays a link; a device or a pipe is written to, not replaced.
    """
    content = data.encode() if isinstance(data, str) else data
    if path is None or path == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        target = _real(path)
        if _is_device(target):
            target.write_bytes(content)
        else:
            _replace(target, content)
    except OSError as error:
        raise OSError(error.errno, error.strerror, path) from None


def _replace(target: Path, content: bytes) -> None:
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name[:200]}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
        umask = os.umask(0)
        os.umask(umask)
        Path(name).chmod(0o666 & ~umask)
        Path(name).replace(target)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise


def _real(path: str) -> Path:
    """The file that a path stands for, links followed."""
    return Path(os.path.realpath(path))


def _is_device(target: Path) -> bool:
    return target.exists() and not target.is_file() and not target.is_dir()
