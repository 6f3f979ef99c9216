"""How often bids make when some seats see all four hands and others only their own.

    python scripts/real_play.py RUN.jsonl [--deals 20000] [--seed 42] [--bids 30 31 ...]
                                [--player pimc:20]

The declarer is seat 0 with a random hand and names its longest suit. The declarer, its partner, and
both defenders each see all hands (double-dummy) or only their own (the player), which makes eight
mixtures, over the same deals. Counts are added to RUN.jsonl, 500 deals a line, so that a
study may be cut, gone on with and extended; results/real_play.csv and results/real_play.md are
written from all that is there.
"""

import argparse
import json
import sys
from collections import Counter
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.deals.random import random_deals
from sim42.files import write_file
from sim42.game.rules import Contract
from sim42.game.score import is_made
from sim42.play.arena import longest_suit, play_deals
from sim42.play.names import find_player
from sim42.tables.stats import wilson

RESULTS = Path(__file__).resolve().parent.parent / "results"
PART = 500
"""Deals of one line of the run."""
SEATS = ("declarer", "partner", "defenders")
SEEING, BLIND = "sees", "blind"


def count(deals, first, bid, mixture, player, seed):
    """How many of these deals are made by such a mixture."""
    seeing, blind = find_player("double-dummy"), find_player(player)
    declarer, partner, defenders = (seeing if sees == SEEING else blind for sees in mixture)
    trumps = [longest_suit(mask) for mask in deals[:, 0].tolist()]
    players = (declarer, defenders, partner, defenders)
    contract = Contract(0, bid)
    played = play_deals(deals, trumps, bid, players, seed, first)
    return sum(is_made(contract, tricks.points) for tricks in played)


def carry_out(run, arguments):
    """Count what the run lacks."""
    lines = lines_of(run)
    known = {key_of(line) for line in lines}
    for start in range(0, arguments.deals, PART):
        deals = random_deals(min(PART, arguments.deals - start), arguments.seed, start=start)
        for bid, mixture in product(arguments.bids, product((SEEING, BLIND), repeat=3)):
            line = {
                "player": arguments.player,
                "seed": arguments.seed,
                "bid": bid,
                "mixture": mixture,
                "first": start,
                "deals": len(deals),
            }
            if key_of(line) not in known:
                made = count(deals, start, bid, mixture, arguments.player, arguments.seed)
                lines.append({**line, "made": made})
                write_file(run, "".join(json.dumps(line) + "\n" for line in lines).encode())
        print(f"{start + len(deals):,} deals", file=sys.stderr, flush=True)


def lines_of(run):
    """The lines that are whole; the last may have been cut."""
    lines = run.read_text(encoding="utf-8").splitlines(keepends=True) if run.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def key_of(line):
    return (line["player"], line["seed"], line["bid"], *line["mixture"], line["first"])


def rows_of(lines):
    """Player, bid, who sees, deals, made, rate, interval; of deals that all mixtures played."""
    deals, made = Counter(), Counter()
    parts = Counter((line["player"], line["bid"], line["first"]) for line in lines)
    for line in lines:
        if parts[line["player"], line["bid"], line["first"]] < 2 ** len(SEATS):
            continue
        key = (line["player"], line["bid"], *line["mixture"])
        deals[key] += line["deals"]
        made[key] += line["made"]
    for key in sorted(deals):
        low, high = wilson(np.int64(made[key]), np.int64(deals[key]))
        yield (*key, deals[key], made[key], made[key] / deals[key], float(low), float(high))


def csv_of(rows):
    head = ("player", "bid", *SEATS, "deals", "made", "rate", "low", "high")
    body = [[f"{x:.6f}" if isinstance(x, float) else str(x) for x in row] for row in rows]
    return "".join(",".join(row) + "\n" for row in [head, *body])


def page_of(rows, seed):
    """The same as a page."""
    lines = [
        "# What makes when players see only their own hand",
        "",
        "Seat 0 has a random hand, names its longest suit and leads. Each seat sees all four hands",
        "and plays double dummy, or sees only its own and plays as the player named; over the same",
        f"random deals, seed {seed}. Intervals are of 95 % (Wilson).",
        "",
        "    python scripts/real_play.py RUN.jsonl   # makes this page anew",
        "",
        "| player | bid | declarer | partner | defenders | deals | made |",
        "| --- | ---: | --- | --- | --- | ---: | --- |",
    ]
    for player, bid, *seats, deals, _, rate, low, high in rows:
        made = f"{100 * rate:.1f} % ({100 * low:.1f} to {100 * high:.1f})"
        lines.append(f"| {player} | {bid} | {' | '.join(seats)} | {deals:,} | {made} |")
    rates = {(row[0], row[1], *row[2:5]): 100 * row[7] for row in rows}
    for player, bid in dict.fromkeys((row[0], row[1]) for row in rows):
        at = {key[2:]: rate for key, rate in rates.items() if key[:2] == (player, bid)}
        all_see, none_sees = at[(SEEING,) * 3], at[(BLIND,) * 3]
        lost = _changes(at, SEEING, BLIND)
        gained = _changes(at, BLIND, SEEING)
        lines += [
            "",
            f"With {player} for who cannot see, a bid of {bid} makes in {none_sees:.1f} %",
            f"where double dummy says {all_see:.1f} %. One alone made blind where all see changes",
            f"that, in percentage points: {lost}. One alone given sight where",
            f"none sees: {gained}.",
        ]
    return "\n".join(lines) + "\n"


def _changes(at, most, one):
    """What it changes that one of the three alone is otherwise than the rest."""
    changes = []
    for place, name in enumerate(SEATS):
        mixture = tuple(one if other == place else most for other in range(len(SEATS)))
        changes.append(f"{name} {at[mixture] - at[(most,) * len(SEATS)]:+.1f}")
    return ", ".join(changes)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--deals", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--bids", type=int, nargs="+", default=[30])
    parser.add_argument("--player", default="pimc:20")
    arguments = parser.parse_args()
    carry_out(arguments.run, arguments)
    rows = list(rows_of(lines_of(arguments.run)))
    write_file(RESULTS / "real_play.csv", csv_of(rows).encode())
    write_file(RESULTS / "real_play.md", page_of(rows, arguments.seed).encode())


if __name__ == "__main__":
    main()
