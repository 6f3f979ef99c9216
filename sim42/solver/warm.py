"""Compiled code made ready: what each function needs, and whether an earlier run left it."""

from collections.abc import Callable
from concurrent.futures import Future, wait
from threading import Thread
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from sim42.game.trumps import Trump
from sim42.solver.kernels._cache import on_compile
from sim42.solver.lookups import Lookups, stacked

Function = TypeVar("Function", bound=Callable[..., Any])

_first_calls: Final[dict[Callable[..., Any], Callable[[], object]]] = {}
"""The quickest call of all compiled code that a function needs."""
_warm: Final[set[Callable[..., Any]]] = set()


def compiles(first_call: Callable[[], object]) -> Callable[[Function], Function]:
    """Say of a function what calls all the compiled code that it needs, with the least work."""

    def note(function: Function) -> Function:
        _first_calls[function] = first_call
        return function

    return note


def tiny_positions() -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64], Lookups]:
    """The smallest game there is, a tile a seat: hands (1, 4), table (1, 3), a zero, its rules."""
    hands, table = np.array([[1, 2, 4, 8]]), np.full((1, 3), -1)
    return hands, table, np.zeros(1, dtype=np.int64), stacked([Trump.FOLLOW_ME])


def warm_up(*functions: Callable[..., Any]) -> None:
    """Compile what these functions need, or load it from the cache of an earlier run.

    The compiler works in a thread of its own, so that Ctrl-C ends the waiting for it at once.

    Parameters
    ----------
    functions : solve, solve_many, makes_many, play_values
        Those to be called; all of them when none is named.

    >>> warm_up()
    """
    for function in functions or _first_calls:
        if function not in _warm:
            _aside(_first_calls[function])
            _warm.add(function)


def is_compiled(function: Callable[..., Any]) -> bool:
    """Whether an earlier run left all that a function needs, whole; nothing is compiled to know.

    >>> from sim42 import solve
    >>> warm_up(solve)
    >>> is_compiled(solve)
    True
    """

    def refuse(_: bool) -> None:
        raise _NotCompiledError

    try:
        with on_compile(refuse):
            _first_calls[function]()
    except _NotCompiledError:
        return False
    return True


class _NotCompiledError(Exception):
    """The compiler would be needed."""


def _aside(task: Callable[[], object]) -> None:
    """Do a task in a thread that nothing waits for once this one is interrupted."""
    done: Future[None] = Future()

    def work() -> None:
        try:
            task()
            done.set_result(None)
        except BaseException as error:  # noqa: BLE001
            done.set_exception(error)

    Thread(target=work, daemon=True).start()
    # Some systems see Ctrl-C only between two waits.
    while not wait([done], timeout=1).done:
        pass
    done.result()
