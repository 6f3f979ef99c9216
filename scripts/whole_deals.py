"""Whole deals against plain minimax, which takes some minutes a deal.

    python scripts/whole_deals.py [DEALS] [SEED]

Deal i is tried under trump i modulo nine. tests/naive.py knows nothing of sim42; the suite compares
it with the solver on some 20,000 endings, and this on deals from the first trick.
"""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import naive

from sim42 import Deal, Trump, solve
from sim42.deals.random import random_deals
from sim42.game.tiles import ENDS


def main(deals: int = 3, seed: int = 42) -> None:
    """Compare, a line a deal; exit 1 at the first that differs."""
    for index, masks in enumerate(random_deals(deals, seed).tolist()):
        deal, trump = Deal(masks), Trump(index % len(Trump))
        hands = tuple(tuple(ENDS[tile] for tile in hand) for hand in deal.hands)
        found, plain = solve(deal, trump).points, naive.value(hands, int(trump))
        print(f"{deal}  {trump}: {found}, minimax {plain}", flush=True)
        if found != plain:
            sys.exit(1)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
