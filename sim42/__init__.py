"""sim42: what really happens in Texas 42, by solving millions of random deals exactly.

The names below are imported when first used, so that ``import sim42`` is quick.

>>> from sim42 import Hand, Trump
>>> Hand("64 55 42 31 20 11 00"), Trump("aces")
(Hand('6-4 5-5 4-2 3-1 2-0 1-1 0-0'), <Trump.ONES: 1>)
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sim42.deals.given import Given as Given
    from sim42.game.rules import Rules as Rules
    from sim42.game.state import Game as Game
    from sim42.game.tiles import Deal as Deal
    from sim42.game.tiles import Hand as Hand
    from sim42.game.trumps import Trump as Trump
    from sim42.runs.execute import run_study as run_study
    from sim42.runs.frames import add_runs as add_runs
    from sim42.runs.frames import load_run as load_run
    from sim42.runs.study import Study as Study
    from sim42.solver.inside import makes as makes
    from sim42.solver.inside import makes_many as makes_many
    from sim42.solver.positions import Positions as Positions
    from sim42.solver.values import Solution as Solution
    from sim42.solver.values import solve as solve
    from sim42.solver.values import solve_many as solve_many
    from sim42.tables.bid import bid_table as bid_table

__version__ = "0.1.0"

_HOMES = {
    "Deal": "sim42.game.tiles",
    "Game": "sim42.game.state",
    "Given": "sim42.deals.given",
    "Hand": "sim42.game.tiles",
    "Positions": "sim42.solver.positions",
    "Rules": "sim42.game.rules",
    "Solution": "sim42.solver.values",
    "Study": "sim42.runs.study",
    "Trump": "sim42.game.trumps",
    "add_runs": "sim42.runs.frames",
    "bid_table": "sim42.tables.bid",
    "load_run": "sim42.runs.frames",
    "makes": "sim42.solver.inside",
    "makes_many": "sim42.solver.inside",
    "run_study": "sim42.runs.execute",
    "solve": "sim42.solver.values",
    "solve_many": "sim42.solver.values",
}

__all__ = [*sorted(_HOMES)]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(import_module(_HOMES[name]), name)
    raise AttributeError(f"module 'sim42' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
