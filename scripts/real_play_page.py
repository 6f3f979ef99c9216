"""What a run of scripts/real_play.py tells: results/real_play.*, and the estimate that is shipped.

    python scripts/real_play_page.py RUN.jsonl STRONG.jsonl

Hands with an even place in the study fit sim42/tables/played_rate.csv; those with an odd one only
score it. Games of one hand and trump that both ways to choose the trump share are fitted on once.
"""

import argparse
import sys
from itertools import pairwise, permutations
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

import real_play as study

from sim42.files import write_file
from sim42.tables import played_rate as estimate
from sim42.tables.features import feature_numbers, kinds_of
from sim42.tables.spread import clustered, clustered_mean

RESULTS = Path(__file__).resolve().parent.parent / "results"
GAMES = len(study.PLAYED)
EDGES = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.97, 1.0001)
"""Bounds of the double-dummy rates that are put together."""
EVEN, ODD = (0,), (1,)
RIDGE = np.array([1e-3, 1e-3, 1.0])
"""Keeps the bend from running away where the few hands beyond it were all made."""
SEATS = ("declarer", "partner", "defenders")
SEES, MIXED = study.SEES, study.MIXED


class Results:
    """The lines of a run as arrays: a row a hand of the study, in order."""

    def __init__(self, lines):
        self.seed = lines[0]["seed"]
        hands = max(line["hands"] for line in lines) + study.PART
        self.masks = np.zeros(hands, dtype=np.int64)
        self.trumps = {rule: np.full(hands, -1) for rule in study.RULES}
        self.seen = {rule: np.full((hands, len(study.BIDS)), np.nan) for rule in study.RULES}
        self.games = {}
        for line in lines:
            part = slice(line["hands"], line["hands"] + study.PART)
            if "counts" in line:
                counts = np.array(line["counts"])
                made = [counts[:, bid - 29 :].sum(axis=1) for bid in study.BIDS]
                self.masks[part] = line["masks"]
                self.trumps[line["trump"]][part] = line["trumps"]
                self.seen[line["trump"]][part] = (
                    np.stack(made, axis=1) / counts.sum(axis=1)[:, None]
                )
            else:
                key = (line["trump"], line["bid"], *line["seats"])
                games = self.games.setdefault(key, np.full((hands, GAMES), -1))
                games[part] = np.array(list(line["made"]), dtype=int).reshape(-1, GAMES)

    def made(self, rule, bid, *seats):
        """Deals of each hand that were made, and of how many; none where it was not played."""
        games = self.games.get((rule, bid, *seats))
        if games is None:
            return np.zeros(len(self.masks), dtype=int), np.zeros(len(self.masks), dtype=int)
        return games.clip(0).sum(axis=1), (games >= 0).sum(axis=1)

    def players(self):
        """Names of those who played all seats, the cheapest first."""
        same = {key[2] for key in self.games if len(set(key[2:])) == 1} - {SEES}
        return sorted(same, key=lambda name: (name != "club", ":" not in name, len(name), name))

    def rates(self, rule, bid):
        """Double-dummy rates of the hands."""
        return self.seen[rule][:, study.BIDS.index(bid)]


def fitted(terms, made, games):
    """Weights of a logistic regression by Newton, and their covariance, hands being clusters."""
    weights = np.zeros(terms.shape[1])
    for _ in range(60):
        chance = 1 / (1 + np.exp(-terms @ weights))
        bend = (terms.T * (games * chance * (1 - chance))) @ terms + np.diag(RIDGE)
        step = np.linalg.solve(bend, terms.T @ (made - games * chance) - RIDGE * weights)
        weights += step
        if abs(step).max() < 1e-9:
            break
    inverse = np.linalg.inv(bend)
    scores = terms * (made - games * chance)[:, np.newaxis]
    return weights, inverse @ (scores.T @ scores) @ inverse


def spread_of(chance, made, games):
    """Deviation of the log-odds of hands about the curve: what games vary more than by chance."""
    noise = games * chance * (1 - chance)
    excess = ((made - games * chance) ** 2 - noise).sum()
    return np.sqrt(max(excess, 0) / (games * (games - 1) * (chance * (1 - chance)) ** 2).sum())


def sample(studies, bid, remainders):
    """Double-dummy rates, deals made and games of hands, each hand and trump once.

    Of each study the hands whose place leaves these remainders by 2.
    """
    columns = []
    for results in studies:
        wanted = np.isin(np.arange(len(results.masks)) % 2, remainders)
        for rule in study.RULES:
            made, games = results.made(rule, bid, *[estimate.PLAYER] * 3)
            here = wanted & (games > 0)
            if rule != study.RULES[0]:
                here &= results.trumps[rule] != results.trumps[study.RULES[0]]
            columns.append(np.stack([results.rates(rule, bid), made, games], axis=1)[here])
    return np.concatenate(columns).T


def numbers_of(studies):
    """The lines of sim42/tables/played_rate.csv, fitted on the hands of even place."""
    lines = [",".join(estimate.COLUMNS)]
    for bid in study.BIDS:
        rates, made, games = sample(studies, bid, EVEN)
        terms = estimate.terms_of(rates)
        weights, covariance = fitted(terms, made, games)
        chance = 1 / (1 + np.exp(-terms @ weights))
        numbers = [*weights, spread_of(chance, made, games)]
        numbers += [covariance[a, b] for a, b in estimate.VARIANCES]
        lines.append(",".join([str(bid), *(f"{number:.6f}" for number in numbers)]))
    return "".join(line + "\n" for line in lines)


def calibration(rates, made, games):
    """For each part of the double-dummy rates: hands, games, the made rate and its interval."""
    for low, high in pairwise(EDGES):
        here = (rates >= low) & (rates < high) & (games > 0)
        if here.sum() >= 10:
            ends = map(float, clustered(made[here], games[here]))
            yield (low, min(high, 1.0), int(here.sum()), int(games[here].sum()), *ends, here)


def percent(rate, digits=1):
    return f"{100 * rate:.{digits}f}"


def within(rate, low, high):
    return f"{percent(rate)} ({percent(low)} to {percent(high)})"


def rates_lines(results):
    """Rates of every player beside the double-dummy ones."""
    players = results.players()
    yield "| trump | bid | hands | double dummy | " + " | ".join(players) + " |"
    yield "| --- | ---: | ---: | --- |" + " --- |" * len(players)
    for rule in study.RULES:
        for bid in study.BIDS:
            _, games = results.made(rule, bid, *[MIXED] * 3)
            seen = results.rates(rule, bid)[games > 0]
            cells = [within(*clustered(400 * seen, np.full(len(seen), 400)))]
            for name in players:
                made, games_of = results.made(rule, bid, *[name] * 3)
                hands = int((games_of > 0).sum())
                told = within(*clustered(made, games_of)) if hands else ""
                cells.append(told if hands in (0, len(seen)) else f"{hands:,}: {told}")
            yield f"| {rule} | {bid} | {len(seen):,} | " + " | ".join(cells) + " |"


def paired_lines(results):
    """How much more than club each player makes, on the same deals."""
    yield "| player | bid | deals | all four seats | declaring | defending: fewer made |"
    yield "| --- | ---: | ---: | --- | --- | --- |"
    rule = study.RULES[1]
    for name in results.players()[1:]:
        for bid in study.BIDS:
            club, _ = results.made(rule, bid, *["club"] * 3)
            cells, deals = [], 0
            for sign, seats in (
                (1, [name] * 3),
                (1, [name, name, "club"]),
                (-1, ["club", "club", name]),
            ):
                made, games = results.made(rule, bid, *seats)
                here = games > 0
                if not here.any():
                    cells.append("")
                    continue
                deals = deals or int(games.sum())
                ahead = clustered_mean(sign * (made - club)[here], games[here], least=-1.0)
                cells.append("{:+.1f} ({:+.1f} to {:+.1f})".format(*(100 * x for x in ahead)))
            yield f"| {name} | {bid} | {deals:,} | " + " | ".join(cells) + " |"


def mixture_lines(results):
    """The eight mixtures, and each seat's part of what sight is worth."""
    rule = study.RULES[1]
    yield f"| {' | '.join(SEATS)} | " + " | ".join(map(str, study.BIDS)) + " |"
    yield "| --- | --- | --- |" + " ---: |" * len(study.BIDS)
    rates = {}
    for number in range(2 ** len(SEATS)):
        seats = tuple(MIXED if number >> place & 1 else SEES for place in range(len(SEATS)))
        cells = []
        for bid in study.BIDS:
            made, games = results.made(rule, bid, *seats)
            _, mixed = results.made(rule, bid, MIXED, MIXED, SEES)
            games = np.where(mixed > 0, games, 0)
            rates[seats, bid] = float(made[games > 0].sum() / max(games.sum(), 1))
            cells.append(percent(rates[seats, bid]))
        words = ("sees" if seat == SEES else "blind" for seat in seats)
        yield f"| {' | '.join(words)} | " + " | ".join(cells) + " |"
    yield ""
    yield "The part of each in the fall from all seeing to none, in percentage points: the mean"
    yield "over all orders in which they may lose their sight (Shapley)."
    yield ""
    yield "| seat | " + " | ".join(map(str, study.BIDS)) + " |"
    yield "| --- |" + " ---: |" * len(study.BIDS)
    for place, name in enumerate(SEATS):
        cells = []
        for bid in study.BIDS:
            changes = []
            for order in permutations(range(len(SEATS))):
                blind = set(order[: order.index(place)])
                before, after = (
                    tuple(MIXED if seat in who else SEES for seat in range(len(SEATS)))
                    for who in (blind, blind | {place})
                )
                changes.append(rates[after, bid] - rates[before, bid])
            cells.append(f"{100 * np.mean(changes):+.1f}")
        yield f"| {name} | " + " | ".join(cells) + " |"


def look_lines(results):
    """Double dummy and play by what the hand looks like."""
    rule = study.RULES[0]
    trumps = results.trumps[rule]
    looks = feature_numbers(results.masks, trumps)
    yield "| hands | number | bid 30: seen | played | bid 42: seen | played |"
    yield "| --- | ---: | ---: | --- | ---: | --- |"
    groups = [("follow me", kinds_of(trumps) == 2)]
    pips = kinds_of(trumps) == 0
    for name, values in (("trumps", range(2, 7)), ("doubles", range(5)), ("offs", range(6))):
        groups += [(f"pip trump, {n} {name}", pips & (looks[name] == n)) for n in values]
    for name, here in groups:
        cells = []
        for bid in (30, 42):
            made, games = results.made(rule, bid, *[MIXED] * 3)
            of_group = here & (games > 0)
            if of_group.sum() >= 20:
                cells.append(percent(results.rates(rule, bid)[of_group].mean()))
                cells.append(within(*clustered(made[of_group], games[of_group])))
        if cells:
            yield f"| {name} | {of_group.sum():,} | " + " | ".join(cells) + " |"


def score_lines(results):
    """Brier scores and calibration of the estimate on hands that did not fit it."""
    yield "| bid | hands | double dummy as it is | one rate for all | estimate | spread |"
    yield "| ---: | ---: | ---: | ---: | ---: | ---: |"
    for bid in study.BIDS:
        rates, made, games = sample([results], bid, ODD)
        told = estimate.played_rate(rates, bid)
        constant = made.sum() / games.sum()

        def brier(chance, made=made, games=games):
            return float(
                (made * (1 - chance) ** 2 + (games - made) * chance**2).sum() / games.sum()
            )

        middle = told.rate.clip(0.02, 0.98)
        spread = spread_of(middle, made, games)
        scores = " | ".join(f"{brier(chance):.4f}" for chance in (rates, constant, told.rate))
        yield f"| {bid} | {len(rates):,} | {scores} | {spread:.2f} |"


def curve_lines(studies):
    """Calibration of double dummy in all hands, and of the estimate in those that score it."""
    yield "| bid | double dummy | hands | deals | made in play | estimate | made, not fitted on |"
    yield "| ---: | --- | ---: | ---: | --- | ---: | --- |"
    for bid in study.BIDS:
        rates, made, games = sample(studies, bid, EVEN + ODD)
        odd = {
            low: within(*ends) for low, _, _, _, *ends, _ in calibration(*sample(studies, bid, ODD))
        }
        for low, high, count, deals, *ends, here in calibration(rates, made, games):
            told = estimate.played_rate(rates[here], bid).rate.mean()
            yield (
                f"| {bid} | {percent(low, 0)} to {percent(high, 0)} % | {count:,} | {deals:,} | "
                f"{within(*ends)} | {percent(told)} | {odd.get(low, '')} |"
            )


def picture_of(studies):
    """Made in play against double dummy, a panel a bid."""
    from sim42.charts import picture
    from sim42.charts._style import (
        ACCENT,
        BLUE,
        LINE,
        axes_of,
        foot,
        head,
        in_style,
        panels,
        percent_axis,
    )

    @in_style
    def draw():
        ax = axes_of(None, 9.6, 7.2)
        grid = [
            part
            for row in panels(ax, [1, 1], 0.2, down=True)
            for part in panels(row, [1] * 3, 0.07)
        ]
        line = np.linspace(0.01, 0.995, 100)
        for bid, part in zip(study.BIDS, grid, strict=True):
            told = estimate.played_rate(line, bid)
            part.plot([0, 1], [0, 1], color=LINE, lw=1, ls="--")
            part.fill_between(line, told.low, told.high, color=BLUE, alpha=0.14, lw=0)
            part.plot(line, told.rate, color=BLUE, lw=1.8)
            rates, made, games = sample(studies, bid, ODD)
            for _, _, _, _, rate, low, high, here in calibration(rates, made, games):
                x = rates[here].mean()
                part.vlines(x, low, high, color=ACCENT, lw=1.4)
                part.plot(x, rate, "o", color=ACCENT, ms=4.5)
            part.set_title(f"bid {bid}", loc="left", fontsize=11)
            percent_axis(part, "made in play, %" if bid in (30, 36) else "")
            percent_axis(part, "makes double dummy, %", across=True)
            part.grid()
        head(
            ax,
            "How often a bid makes when nobody sees the others' hands",
            f"Random hands with the trump of best expected marks or the longest suit, played by "
            f"four seats of {estimate.PLAYER}, against how often the bid makes double dummy",
            above=22,
        )
        foot(
            ax,
            "Dashed: as often as double dummy. Line: the estimate, fitted on half of the hands; "
            "band: 95 % of single hands. Dots: the other half, with 95 % intervals.",
        )
        return ax

    return picture(draw(), "png")


def page_of(results, strong):
    """The page, in Markdown."""
    hands = int((results.made("best", 30, *[MIXED] * 3)[1] > 0).sum())
    some = int(results.made("longest", 30, MIXED, MIXED, SEES)[1].sum())
    yield f"""# What makes when players see only their own hand

{hands:,} random hands, {GAMES} deals around each: {GAMES * hands:,} deals, seed {results.seed}.
The declarer, seat 0, leads and names the trump of best expected marks (`best`, chosen on 80 other
deals) or its longest suit (`longest`); each bid is a game of its own. The double-dummy rate of a
hand is counted on 400 further deals, which chose no trump and were not played. `pimc:N` solves N
layouts for each decision, `alphamu:N,M` plans M of its plays besides, `club` goes by rules of
thumb; a number before a rate says of how many hands it is, where it is not of all.
{len(strong.masks):,} more hands, which look strong, serve the estimate alone. Rates are in %;
intervals are of 95 %, from the spread between hands.

    python scripts/real_play.py RUN.jsonl         # plays; it can be cut and gone on with
    python scripts/real_play.py STRONG.jsonl --strong --hands 400 --players pimc:20 --every 0
    python scripts/real_play_page.py RUN.jsonl STRONG.jsonl   # makes this page

![Made in play against double dummy](real_play.png)

These are rates of these players, not of the best there could be: pimc decides as if all hands
were seen from its next play on (strategy fusion), nobody signals, and nobody infers from bids.
These games were played before `pimc` and `alphamu` preferred, of plays that win as often, those
of more points: at 30 that makes some 3 in 100 declarers' hands more ([players.md](players.md)).

## Beside double dummy
"""
    yield from rates_lines(results)
    yield f"""
## What each player gains over club

On the same deals, in percentage points, longest suit: four seats of the player less four of club;
the player's side declaring against club, less club; and how many fewer contracts of club are made
when the player defends. The deals named are those of the first; the others are of {some:,} deals.
"""
    yield from paired_lines(results)
    yield f"""
## Whose sight it is

The longest suit is trump; seats that see play double dummy, blind ones {MIXED}; the same {some:,}
deals in every line. Made in %, by bid:
"""
    yield from mixture_lines(results)
    yield f"""
## By what the hand looks like

Trump of best expected marks, {MIXED} in all seats.
"""
    yield from look_lines(results)
    yield """
## The estimate

`sim42.tables.played_rate.played_rate(rate, bid)` tells the chance in play from the double-dummy
rate. It is fitted on the hands of even place in the study; here it is scored on the others. Brier
score: mean square of the chance less what came; lower is better. Spread: deviation of the log-odds
of single hands about the curve, as seen in these hands; it makes most of the estimate's error.
"""
    yield from score_lines(results)
    yield """
By the double-dummy rate; the last column is of hands that the estimate was not fitted on:
"""
    yield from curve_lines([results, strong])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("run", type=Path)
    parser.add_argument("strong", type=Path)
    arguments = parser.parse_args()
    results, strong = (Results(study.lines_of(run)) for run in (arguments.run, arguments.strong))
    write_file(estimate.NUMBERS, numbers_of([results, strong]).encode())
    write_file(RESULTS / "real_play.md", ("\n".join(page_of(results, strong)) + "\n").encode())
    write_file(RESULTS / "real_play.png", picture_of([results, strong]))


if __name__ == "__main__":
    main()
