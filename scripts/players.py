"""Which plays a player should prefer, measured: writes results/players.md.

    python scripts/players.py [--deals 3000] [--seed 7] [--bids 30]

Players of the same layouts that differ in their objective alone meet on the same deals, with the
longest suit of the declarer as trump: each declares once and defends once.
"""

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.deals.random import random_deals
from sim42.files import write_file
from sim42.game.tiles import tiles_of
from sim42.play.alphamu import AlphaMuPlayer
from sim42.play.arena import longest_suit, meet
from sim42.play.club import best_of
from sim42.play.pimc import PimcPlayer, asked, layouts_of, lookups_of, most
from sim42.solver.kernels.choices import sum_points
from sim42.tables.spread import mean_interval

RESULTS = Path(__file__).resolve().parent.parent / "results"
LAYOUTS = 20
WINS, POINTS, CLUB, LOWEST = "wins", "points", "club", "lowest"
WORDS = {
    WINS: "layouts in which the contract is made (or set)",
    POINTS: "points over all layouts",
    CLUB: "what a club player plays",
    LOWEST: "the tile of lowest number",
}


@dataclass(frozen=True)
class Preferring(PimcPlayer):
    """PIMC with another objective: what counts first, second, ...."""

    order: tuple[str, ...] = ()

    def choose(self, view, draw):
        layouts = layouts_of(view, draw, self.layouts)
        best = view.legal_mask
        for what in self.order:
            if best & (best - 1) and what == WINS:
                best = most(self.wins(view, layouts), best)
            elif best & (best - 1) and what == POINTS:
                best = most(sum_points(layouts, *asked(view)[:2], best, *lookups_of(view)), best)
            elif what == CLUB:
                best = 1 << best_of(view, best)
        return tiles_of(best)[0]


MEETINGS = [
    ((WINS, POINTS, CLUB), (WINS, CLUB)),
    ((WINS, LOWEST), (WINS, CLUB)),
    ((WINS, POINTS, LOWEST), (WINS, POINTS, CLUB)),
    ((POINTS, CLUB), (WINS, CLUB)),
]


def row_of(names, players, deals, bid, seed):
    trumps = [longest_suit(mask) for mask in deals[:, 0].tolist()]
    made = meet(*players, deals, trumps, bid, seed).astype(int)
    ahead, low, high = (100 * figure for figure in mean_interval(made[:, 0] - made[:, 1], -1, 1))
    rates = " | ".join(f"{100 * rate:.1f} %" for rate in made.mean(axis=0))
    return f"| {bid} | {' | '.join(names)} | {rates} | {ahead:+.2f} ({low:+.2f} to {high:+.2f}) |"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--bids", type=int, nargs="+", default=[30])
    arguments = parser.parse_args()
    deals = random_deals(arguments.deals, arguments.seed)
    lines = [
        "# What a player should prefer",
        "",
        f"Players that solve {LAYOUTS} layouts for each decision, and differ in what they prefer,",
        f"over {arguments.deals:,} deals of seed {arguments.seed}, the declarer's longest suit as",
        "trump. Each declares once and defends once; the difference is paired by deal, with its",
        "95 % interval, in percentage points.",
        "",
        "    python scripts/players.py   # makes this page anew",
        "",
        *(f"- *{name}*: {words}" for name, words in WORDS.items()),
        "",
        "| bid | first | second | first made | second made | first less second |",
        "| ---: | --- | --- | ---: | ---: | --- |",
    ]
    for bid in arguments.bids:
        for pair in MEETINGS:
            names = [", ".join(order) for order in pair]
            players = [Preferring(LAYOUTS, order=order) for order in pair]
            lines.append(row_of(names, players, deals, bid, arguments.seed))
            print(lines[-1], file=sys.stderr, flush=True)
    for bid in arguments.bids:
        players = [AlphaMuPlayer(LAYOUTS, 2), PimcPlayer(LAYOUTS)]
        names = ["alphamu:20,2", "pimc:20"]
        lines.append(row_of(names, players, deals, bid, arguments.seed))
        print(lines[-1], file=sys.stderr, flush=True)
    lines += [
        "",
        "So `pimc` and `alphamu` prefer wins, then points, then what a club player plays.",
    ]
    write_file(RESULTS / "players.md", ("\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
