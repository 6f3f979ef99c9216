"""What commands read that draw or show what others found: run directories, bids, no display."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from sim42.cli._options import read_bytes
from sim42.errors import RequestError, at

if TYPE_CHECKING:
    import pandas as pd


class Sources(NamedTuple):
    """What was read: frames of `sim42.tables.bid.bid_rows`, and of `sim42.runs.frames.load_run`."""

    bids: "list[pd.DataFrame]"
    runs: "list[pd.DataFrame]"


def go_headless() -> None:
    """Let matplotlib be imported although MPLBACKEND may name a backend that it does not know."""
    os.environ["MPLBACKEND"] = "agg"


def read_sources(sources: Iterable[str]) -> Sources:
    """The frames of run directories and of JSON files of bids, - being one on stdin.

    Raises
    ------
    RequestError
        When one is neither; says which and why.
    """
    found = Sources([], [])
    for source in sources:
        if source != "-" and Path(source).is_dir():
            found.runs.append(read_run(source))
        else:
            found.bids.append(_read_bid(source))
    return found


def read_run(source: str) -> "pd.DataFrame":
    """The counts of a run directory.

    Raises
    ------
    RequestError
        When it has none yet.
    """
    from sim42.runs.frames import load_run

    run = load_run(source)
    if run.empty:
        raise RequestError(f"{source}: no hand of this run is done yet")
    return run


def _read_bid(source: str) -> "pd.DataFrame":
    from sim42.tables.bid_file import read_bid

    name, data = read_bytes(source)
    with at(name):
        return read_bid(data)
