"""What commands that draw share: sources read, charts imported whatever the shell has set."""

import os
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from sim42.errors import RequestError

if TYPE_CHECKING:
    import pandas as pd


def load_charts() -> ModuleType:
    """The charts; matplotlib is not even imported when MPLBACKEND names a backend it lacks."""
    os.environ["MPLBACKEND"] = "agg"
    from sim42 import charts

    return charts


def is_run(source: str) -> bool:
    """Whether a source is a run directory and not the result of a bid."""
    return Path(source).is_dir()


def read_source(source: str) -> "pd.DataFrame":
    """The frame of a run directory, or of the JSON file of a bid.

    Raises
    ------
    RequestError
        When it is neither; says which source and why.
    """
    if is_run(source):
        from sim42.runs import load_run

        run = load_run(source)
        if run.empty:
            raise RequestError(f"{source}: no hand of this run is done yet")
        return run

    from sim42.tables import read_bid

    path = Path(source)
    if not path.exists():
        raise RequestError(f"{source}: no such file or run directory")
    try:
        return read_bid(path.read_bytes())
    except RequestError as error:
        raise RequestError(f"{source}: {error}") from None
