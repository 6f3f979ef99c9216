"""Where results go: stdout or a file that is written whole or not at all."""

import errno
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Final, NamedTuple, TypeVar

import click

from sim42.errors import RequestError
from sim42.files import descriptor_of, is_stream, write_file

Command = TypeVar("Command", bound=Callable[..., Any])

ENDINGS: Final = {
    ".txt": "table",
    ".html": "html",
    ".htm": "html",
    **{f".{name}": name for name in ("json", "jsonl", "csv", "parquet", "png", "svg", "pdf")},
}
PICTURES: Final = ("png", "svg", "pdf")
_STDOUT: Final = 1


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


class Target(NamedTuple):
    """Where a result goes, and how: to a file, or to stdout when there is no path."""

    path: str | None
    format: str
    force: bool = False

    def write(self, data: str | bytes | Iterable[str]) -> None:
        """Write all of it, or nothing; to stdout, pieces as they come.

        Parameters
        ----------
        data : str, bytes, or an iterable of str
            What to write, at once or in pieces that can be gone through again.

        Raises
        ------
        OSError
            When it cannot be written, or someone else made the file since it was looked for: that
            one stays, and what was to be in it goes to another name beside it.
        """
        if self.path is None:
            for piece in _encoded(data):
                sys.stdout.buffer.write(piece)
                sys.stdout.buffer.flush()
            return
        try:
            write_file(self.path, _encoded(data), replace=self.force)
        except FileExistsError:
            beside = _write_beside(Path(self.path), data)
            reason = f"someone made it meanwhile, so it stays; the result is in {beside}"
            raise FileExistsError(errno.EEXIST, reason, self.path) from None


def settle_target(
    path: str | None, force: bool, formats: tuple[str, ...], format_: str | None = None
) -> Target:
    """The target of a result, once it is sure before any work that it may be written.

    Its format is the one asked for, else the one that the file's ending names, else the first.

    Raises
    ------
    RequestError
        When the file exists and is not to be replaced, is a folder, its folder is missing, or its
        ending names none of `formats`.
    PermissionError
        When the folder may not be written.
    """
    if path in (None, "-") or descriptor_of(path) == _STDOUT:
        return Target(None, format_ or formats[0])
    _check_target(path, force)
    if format_ is not None:
        return Target(path, format_, force)
    ending = Path(path).suffix.lower()
    if ENDINGS.get(ending) in formats:
        return Target(path, ENDINGS[ending], force)
    if is_stream(path):
        return Target(path, formats[0], force)
    known = ", ".join(end for end, name in ENDINGS.items() if name in formats)
    raise RequestError(f"{path}: unknown ending; one of {known}")


def check_apart(first: Target, second: Target) -> None:
    """Refuse two results in one place.

    Raises
    ------
    RequestError
        When they go to the same file, or both to stdout.
    """
    if first.path is None or second.path is None:
        if first.path == second.path:
            raise RequestError("two results cannot both go to stdout; name a file for one of them")
    elif os.path.realpath(first.path) == os.path.realpath(second.path):
        raise RequestError(f"{first.path}: cannot hold two results; name two files")


def _check_target(path: str, force: bool) -> None:
    if not path:
        raise RequestError("the name of the output is empty; name a file, or - for stdout")
    if (descriptor := descriptor_of(path)) is not None:
        try:
            os.write(descriptor, b"")
        except OSError:
            raise RequestError(f"{path}: is not open for writing") from None
        return
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise RequestError(f"{path}: is a folder; name a file")
    if is_stream(path):
        if not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)
        return
    if target.exists() and not force:
        raise RequestError(f"{path}: exists; --force replaces it")
    if not target.parent.is_dir():
        raise RequestError(f"{path}: there is no folder {target.parent}; make it first")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), path)


def _encoded(data: str | bytes | Iterable[str]) -> Iterator[bytes]:
    if isinstance(data, bytes):
        yield data
    else:
        for piece in [data] if isinstance(data, str) else data:
            yield piece.encode()


def _write_beside(path: Path, data: str | bytes | Iterable[str]) -> Path:
    """Write to a name like that of a file that is there, and say which."""
    for number in count(2):
        beside = path.with_stem(f"{path.stem}-{number}")
        with suppress(FileExistsError):
            write_file(beside, _encoded(data), replace=False)
            return beside
    raise AssertionError("a number is always free")
