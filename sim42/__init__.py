"""sim42: what really happens in Texas 42, by solving millions of random deals exactly.

The names below are imported when first used, so that ``import sim42`` is quick.

>>> from sim42 import Hand, Trump
>>> Hand("64 55 42 31 20 11 00"), Trump("aces")
(Hand('6-4 5-5 4-2 3-1 2-0 1-1 0-0'), <Trump.ONES: 1>)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim42.game import Game as Game
    from sim42.rules import Rules as Rules
    from sim42.runs import add_runs as add_runs
    from sim42.runs import load_run as load_run
    from sim42.solver import Solution as Solution
    from sim42.solver import solve as solve
    from sim42.solver import solve_many as solve_many
    from sim42.study import Study as Study
    from sim42.survey import run_study as run_study
    from sim42.tables import bid_table as bid_table
    from sim42.tiles import Deal as Deal
    from sim42.tiles import Hand as Hand
    from sim42.trumps import Trump as Trump

__version__ = "0.1.0"

_HOMES = {
    "Deal": "sim42.tiles",
    "Game": "sim42.game",
    "Hand": "sim42.tiles",
    "Rules": "sim42.rules",
    "Solution": "sim42.solver",
    "Study": "sim42.study",
    "Trump": "sim42.trumps",
    "add_runs": "sim42.runs",
    "bid_table": "sim42.tables",
    "load_run": "sim42.runs",
    "run_study": "sim42.survey",
    "solve": "sim42.solver",
    "solve_many": "sim42.solver",
}

__all__ = [*sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sim42' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
