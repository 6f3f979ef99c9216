"""Where results go: stdout or a file that is written whole or not at all."""

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
    ".json": "json",
    ".jsonl": "jsonl",
    ".csv": "csv",
    ".parquet": "parquet",
}
PICTURES: Final = (".png", ".svg", ".pdf")


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


def choose_format(format_: str | None, output: str | None, formats: tuple[str, ...]) -> str:
    """The format asked for, else the one that the file's ending names.

    Raises
    ------
    RequestError
        When the ending names none of `formats`.
    """
    if format_ is not None:
        return format_
    if output in (None, "-"):
        return formats[0]
    assert output is not None
    ending = Path(output).suffix.lower()
    if ENDINGS.get(ending) not in formats:
        known = ", ".join(end for end, name in ENDINGS.items() if name in formats)
        raise RequestError(f"-o {output}: unknown ending; one of {known}, or say --format")
    return ENDINGS[ending]


def check_picture(path: str) -> None:
    """Raise `RequestError` unless the ending is that of a picture."""
    if Path(path).suffix.lower() not in PICTURES:
        raise RequestError(f"{path}: unknown ending; a chart is one of {', '.join(PICTURES)}")


def check_target(path: str | None, force: bool) -> None:
    """Refuse a file that cannot or must not be written, before any work is done.

    Raises
    ------
    RequestError
        When the file exists and is not to be replaced, is a folder, or its folder is missing.
    """
    if path is None or path == "-":
        return
    target = Path(path)
    if target.is_dir():
        raise RequestError(f"{path}: is a folder; name a file")
    if target.exists() and not force:
        raise RequestError(f"{path}: exists; --force replaces it")
    if not target.parent.is_dir():
        raise RequestError(f"{path}: there is no folder {target.parent}; make it first")


def write_whole(path: str | None, data: str | bytes) -> None:
    """Write to the file by a temporary name and a rename, or to stdout for None and ``-``."""
    content = data.encode() if isinstance(data, str) else data
    if path is None or path == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    target = Path(path)
    descriptor, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
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
