"""How often bids make when nobody sees the others' hands: a study that can be cut and gone on with.

    python scripts/real_play.py RUN.jsonl [--hands 5000] [--seed 42] [--every 5]
                                [--players pimc:20 club pimc:5] [--dear pimc:80 alphamu:20,2]
    python scripts/real_play.py STRONG.jsonl --strong --hands 500 --players pimc:20 --every 0

Random hands, four deals around each. The declarer, seat 0, names the trump of most expected marks,
and in a second go its longest suit. The deals are played at each of six bids by four equal players;
every so many hundred hands also by the dear ones, by those of `--players` against `club`, and by
the eight mixtures of seats that see all hands and seats that do not. What a hand is worth double
dummy is counted on further deals, which chose nothing and are not played. A file keeps a line for
each hundred hands, trump, bid and table; `real_play_page.py` makes results/real_play.md of both.
Strong hands, of which random ones are few, are those that look like 42 (`sim42.tables.outlook`).
"""

import argparse
import json
import sys
from itertools import product
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from sim42.deals.random import deals_around_hands, random_hands
from sim42.files import write_file
from sim42.game.rules import Contract, Rules
from sim42.game.score import is_made
from sim42.game.trumps import Trump
from sim42.play.arena import longest_suit, play_deals
from sim42.play.names import find_player
from sim42.runs.blocks import plausible_trumps
from sim42.runs.sample import FLOOR, count_points
from sim42.solver.values import solve_many
from sim42.tables.call import call_bids, choose
from sim42.tables.counts import made_of
from sim42.tables.outlook import outlook

PART = 100
"""Hands of a line."""
PLAYED, CHOOSING, RATING = range(4), range(4, 84), range(84, 484)
"""Deals around each hand that are played, that choose its trump, and that tell its rates."""
BIDS = (30, 31, 35, 36, 40, 42)
RULES = ("best", "longest")
"""How the trump is chosen."""
STRONG, LOOKED = 0.6, range(200_000, 300_000)
"""Chance of 42 that strong hands look to have, and the random hands among which they are found."""
SEES = "double-dummy"
MIXED = "pimc:20"
"""Who plays for the seats that do not see in the mixtures."""


class Study:
    """A run file, and what is computed for the hands in work."""

    def __init__(self, run, seed, threads):
        self.run, self.seed, self.threads = run, seed, threads
        self.known = {key_of(line): line for line in lines_of(run)}

    def once(self, key, count):
        """The line with this key, which is counted and written unless it is there."""
        if key_of(key) not in self.known:
            self.known[key_of(key)] = {**key, **count()}
            write_file(self.run, "".join(map(as_line, self.known.values())).encode())
        return self.known[key_of(key)]

    def deals(self, masks, indices):
        """Deals of these indices around each hand, (hands * indices, 4)."""
        index = np.tile(np.array(indices, dtype=np.int64), len(masks))
        return deals_around_hands(np.repeat(masks, len(indices)), index, self.seed)

    def counts(self, masks, trumps, indices):
        """Counts (hands, 14) of double-dummy points of those deals under each hand's trump."""
        found = np.zeros((len(masks), 14), dtype=np.int64)
        for trump in set(trumps):
            rows = [row for row, other in enumerate(trumps) if other == trump]
            deals = self.deals(masks[rows], indices)
            points = solve_many(deals, [trump], floor=FLOOR, threads=self.threads)
            found[rows] = count_points(points.reshape(len(rows), -1).T)
        return found

    def best(self, masks):
        """The trump of most expected marks of each hand, tried where it is plausible."""
        rows, trumps = np.nonzero(plausible_trumps(masks))
        counts = np.zeros((len(masks), len(Trump), 14), dtype=np.int64)
        counts[rows, trumps] = self.counts(masks[rows], list(map(Trump, trumps)), CHOOSING)
        calls = choose(made_of(counts), counts.sum(axis=-1), call_bids(Rules()))
        return list(map(Trump, calls.trump.tolist()))

    def worth(self, part, rule, masks):
        """What the hands are worth double dummy with the trump of the rule."""
        key = {"seed": self.seed, "hands": part, "trump": rule}

        def count():
            named = longest_suit if rule == "longest" else None
            trumps = [named(mask) for mask in masks.tolist()] if named else self.best(masks)
            return {
                "masks": masks.tolist(),
                "trumps": [int(trump) for trump in trumps],
                "counts": self.counts(masks, trumps, RATING).tolist(),
            }

        return self.once(key, count)

    def play(self, part, rule, bid, seats, masks):
        """Which deals declarer, partner and defenders of these names make: a text of 0 and 1."""
        key = {"seed": self.seed, "hands": part, "trump": rule, "bid": bid, "seats": seats}

        def count():
            trumps = self.worth(part, rule, masks)["trumps"]
            made = np.empty((len(masks), len(PLAYED)), dtype=bool)
            other = {**key, "trump": RULES[rule == RULES[0]]}
            if line := self.known.get(key_of(other)):  # the same play where it named the same
                made[:] = np.array(list(line["made"])).reshape(made.shape) == "1"
                same = self.worth(part, other["trump"], masks)["trumps"]
                rows = [n for n, trump in enumerate(trumps) if trump != same[n]]
            else:
                rows = list(range(len(masks)))
            players = {name: find_player(name) for name in seats}
            declarer, partner, defender = (players[name] for name in seats)
            table = (declarer, defender, partner, defender)
            for row in rows:
                played = play_deals(
                    self.deals(masks[row : row + 1], PLAYED),
                    [Trump(trumps[row])] * len(PLAYED),
                    bid,
                    table,
                    self.seed,
                    (part + row) * len(PLAYED),
                    threads=self.threads,
                )
                made[row] = [is_made(Contract(0, bid), tricks.points) for tricks in played]
            return {"made": "".join("01"[deal] for deal in made.ravel().tolist())}

        self.once(key, count)


def hands_of(seed, part, is_strong):
    """A hundred hands of the study."""
    if not is_strong:
        return random_hands(PART, seed, part)
    hands = random_hands(len(LOOKED), seed, LOOKED.start)
    best = np.concatenate(
        [outlook(some)[..., -1].max(axis=1) for some in np.array_split(hands, len(hands) // PART)]
    )
    return hands[best >= STRONG][part : part + PART]


def tables_of(players, dear, is_dear):
    """The tables of a part: names at declarer, partner and defenders, and trumps to play."""
    for name in [*players, *(dear if is_dear else ())]:
        yield (name,) * 3, RULES
    if is_dear:
        for name in players:
            if name != "club":
                yield (name, name, "club"), RULES[1:]
                yield ("club", "club", name), RULES[1:]
        for sees in product((True, False), repeat=3):
            yield tuple(SEES if seat else MIXED for seat in sees), RULES[1:]


def as_line(line):
    return json.dumps(line, separators=(",", ":")) + "\n"


def lines_of(run):
    """The lines that are whole; the last of an older run may have been cut."""
    lines = run.read_text(encoding="utf-8").splitlines(keepends=True) if run.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def key_of(line):
    seats = tuple(line.get("seats", ()))
    return line["seed"], line["hands"], line["trump"], line.get("bid"), seats


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("--hands", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument(
        "--every", type=int, default=5, help="hundreds of hands to a dear one; 0: none"
    )
    parser.add_argument("--players", nargs="*", default=["pimc:20", "club", "pimc:5"])
    parser.add_argument("--dear", nargs="*", default=["pimc:80", "alphamu:20,2"])
    parser.add_argument("--strong", action="store_true", help="strong hands only")
    parser.add_argument("--threads", type=int, default=1)
    arguments = parser.parse_args()
    study = Study(arguments.run, arguments.seed, arguments.threads)
    for part in range(0, arguments.hands, PART):
        masks = hands_of(arguments.seed, part, arguments.strong)
        is_dear = arguments.every > 0 and part // PART % arguments.every == 0
        for rule in RULES:
            study.worth(part, rule, masks)
        for seats, rules in tables_of(arguments.players, arguments.dear, is_dear):
            for rule, bid in product(rules, BIDS):
                study.play(part, rule, bid, seats, masks)
        print(f"{part + PART:,} hands", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
