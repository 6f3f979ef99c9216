"""Positions inside tricks against plain minimax: every legal play of 20,000, some ten minutes.

    python scripts/inside_tricks.py [THOUSANDS] [SEED]

All nine trumps and the three treatments of doubles in follow me, one to five tiles a seat, none to
three of them on the table. tests/naive.py knows nothing of sim42; the suite tries some 2,400.
"""

import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

from endings import inside_tricks
from test_positions import GAMES, check_against_minimax

SHARES = {1: 60, 2: 400, 3: 430, 4: 100, 5: 10}
"""Positions of each thousand by tiles a seat."""


def main(thousands: int = 20, seed: int = 1) -> None:
    """Compare a thousand of each trump in turn; stops at the first that differs."""
    tried = 0
    start = time.monotonic()
    for turn in range(thousands):
        trump, doubles = GAMES[turn % len(GAMES)]
        for tricks, count in SHARES.items():
            plays = inside_tricks(count, tricks, trump, doubles, seed * 10**6 + 10 * turn + tricks)
            check_against_minimax(plays, trump, doubles)
            tried += count
        print(f"{tried} positions agree, {time.monotonic() - start:.0f} s", flush=True)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
