"""Frames as text: csv, json lines, parquet, and the table of a terminal."""

import io
import json
import textwrap
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from sim42.cli._terminal import by_chance
from sim42.game.rules import Rules
from sim42.game.tiles import NAMES, format_tiles
from sim42.solver.values import Solution
from sim42.tables.advice import best_of, call_words, is_same, opened_words, passing_words
from sim42.tables.bid import points_of, rates_in
from sim42.tables.counts import BIDS
from sim42.tables.recommend import worth_in
from sim42.tables.words import (
    ADJUSTED,
    POINTS_SCORED,
    count_words,
    given_words,
    number_words,
    percent,
    rules_words,
)

if TYPE_CHECKING:
    import pandas as pd

DIGITS: Final = 9
"""Decimals of rates in text: far beyond any interval, and the same on every machine."""


def frame_bytes(frame: "pd.DataFrame", format_: str) -> bytes:
    """The rows of a frame as csv, jsonl or parquet (whose metadata keep the attributes)."""
    if format_ == "csv":
        return frame.to_csv(index=False, lineterminator="\n", float_format=f"%.{DIGITS}f").encode()
    if format_ == "jsonl":
        return "".join(json.dumps(row) + "\n" for row in records(frame)).encode()
    plain = frame.copy()
    # Parquet keeps attributes as JSON, whose keys are text.
    plain.attrs = json.loads(json.dumps(frame.attrs))
    buffer = io.BytesIO()
    plain.to_parquet(buffer, index=False)
    return buffer.getvalue()


def records(frame: "pd.DataFrame") -> list[dict[str, Any]]:
    """The rows of a frame as plain dicts."""
    rows: list[dict[str, Any]] = json.loads(
        frame.to_json(orient="records", double_precision=DIGITS)
    )
    return rows


def bid_json(rows: "pd.DataFrame") -> str:
    """The whole result of a bid as one JSON object."""
    facts = {
        name: rows.attrs[name]
        for name in ("hand", "seed", "deals", "rules", "given", "version", "estimate", "asked")
    }
    return json.dumps(
        {
            **facts,
            "double_dummy": True,
            "rows": records(rows),
            "counts": rows.attrs["counts"],
            **({"all_counts": every} if (every := rows.attrs["all_counts"]) else {}),
            "call": rows.attrs["call"],
            "in_play": rows.attrs["in_play"],
            **({"played": rows.attrs["played"]} if "played" in rows.attrs else {}),
        },
        indent=1,
    )


def given_lines(attrs: Mapping[Any, Any]) -> list[str]:
    """What was known of the other hands, in lines; none when nothing was."""
    return textwrap.wrap(given_words(attrs), 80)


def rules_lines(rules: Rules) -> list[str]:
    """What of the rules is not the tournament's, as a line; none when nothing is."""
    words = rules_words(rules.as_dict())
    return [words] if words else []


def bid_text(facts: dict[Any, Any], colour: bool = False) -> str:
    """The result of a bid, as `sim42.tables.bid.bid_facts`, for a terminal of 80 columns."""
    rates = rates_in(facts)
    low, high = rates.interval()
    deals = number_words(facts["deals"], "random deal").replace(",", "")
    lines = [
        f"{facts['hand']}   {deals} a trump, seed {facts['seed']}",
        "Chance in % that each bid makes, double dummy: all four hands are seen.",
        *given_lines(facts),
        *rules_lines(Rules.from_dict(facts["rules"])),
        "",
        f"{'trump':9}" + "".join(f"{bid:>5}" for bid in BIDS) + "     ±",
    ]
    half = 50 * (high - low).max(axis=1)
    for trump, row, widest in zip(facts["counts"], rates.rate.tolist(), half, strict=True):
        chances, *ends = zip(*facts["in_play"]["chances"][trump], strict=True)
        wide = 50 * max(top - bottom for bottom, top in zip(*ends, strict=True))
        for name, cells, width in ((trump, row, widest), (" in play", chances, wide)):
            text = "".join(by_chance(f"{percent(rate):>5}", rate, colour) for rate in cells)
            lines.append(f"{name:9}{text}{width:6.1f}")
    lines += [*estimate_lines(facts["estimate"]), *in_play_lines(facts["in_play"]["player"])]
    lines += [*asked_lines(facts["asked"]), ""]
    lines += [*_offer_lines(facts["call"], facts["in_play"]["call"], points_of(facts))]
    if facts["rules"]["scoring"] == "points" and facts["call"]["unit"] == "marks":
        lines.append(POINTS_SCORED)
    return "\n".join([*lines, "", *_calls_lines(facts["call"], facts["in_play"]["call"])]) + "\n"


def in_play_lines(player: str) -> list[str]:
    """What the rows of a table that say "in play" are."""
    return [
        "in play: estimated chance when nobody sees the others' hands, from the chance",
        f"above and how {player} plays; for 95 % of such hands it is within ±.",
    ]


def estimate_lines(estimate: str) -> list[str]:
    """What the chances of a table are, and what ± beside them is."""
    how = "Wilson"
    lines = ["Chances are shares of these deals."]
    if estimate == ADJUSTED:
        how = "score"
        lines = [
            "Chances are adjusted for what the partner and the others were dealt, which",
            "is worth about as much as twice the deals; --plain only counts them.",
        ]
    return [*lines, f"± is the half-width of the 95 % interval ({how}), the widest of the row."]


def asked_lines(asked: dict[str, Any] | None) -> list[str]:
    """How sure it was to be, and whether it is."""
    if asked is None:
        return []
    lines, most = [], number_words(asked["at_most"], "deal")
    if precision := asked.get("precision"):
        lines.append(f"Asked for: ± at most {precision:g}, double dummy, with the two best trumps")
    if sure := asked.get("until_sure"):
        lines.append(f"Asked for: to be {sure:g} % sure of the trump")
    ends = [";"] * (len(lines) - 1) + ["." if asked["reached"] else f"; not reached in {most}."]
    return [line + end for line, end in zip(lines, ends, strict=True)]


def _offer_lines(
    call: dict[str, Any], played: dict[str, Any] | None, points: dict[str, tuple[float, float]]
) -> list[str]:
    """What each trump offers: even chance, how far it is good, and what each bid is worth."""
    offers, unit = call["offers"], call["unit"]
    bids = list(offers[0]["marks"])
    heading = "".join(f"{f'bid {bid}':>9}" for bid in bids)
    both = f"{'points':>10}{'sd':>7}" if points else ""
    lines = [f"{'':36}expected {unit} of", f"{'trump':9}  even chance  good up to{heading}{both}"]
    for place, offer in enumerate(offers):
        both = "{:10.1f}{:7.1f}".format(*points[offer["trump"]]) if points else ""
        lines.append(_offer_line(offer["trump"], offer) + both)
        if played is not None:
            lines.append(_offer_line(" in play", played["offers"][place]))
    stakes = "; 84 stakes two" * ("84" in bids)
    return [
        *lines,
        "Even chance: the highest bid that makes in half the deals or more; good up to:",
        "the highest, up to 42, that is worth no less than passing.",
        f"Expected marks: won less given away, a deal{stakes}."
        if unit == "marks"
        else "Expected points: scored less what the others score, a deal.",
        *["points, sd: mean and standard deviation of the points of the declarer's side."]
        * bool(points),
    ]


def _offer_line(name: str, offer: dict[str, Any]) -> str:
    even, far = (offer[part] or "none" for part in ("even_chance", "good_to"))
    marks = "".join(f"{worth:>+9.2f}" for worth in offer["marks"].values())
    return f"{name:9}  {even!s:>11}  {far!s:>10}{marks}"


def _calls_lines(call: dict[str, Any], played: dict[str, Any] | None) -> list[str]:
    """The call that is best in play, then the one that is best double dummy."""
    if played is None:
        return _call_lines(call, "Call")
    ends = f"{played['low']:+.2f} to {played['high']:+.2f}"
    best = "the bid" if played["bid"] is not None else "that bid"
    worth = worth_in(played["offers"], best_of(played))
    reasons = (
        f"In play {best} is worth {worth:+.2f} marks, {ends} for 95 % of such hands; "
        f"{passing_words(played['passing'], 'marks')}."
    )
    if played["opened"] is not None:
        reasons += f" {opened_words(played['opened'], 'marks')}."
    other = "Double dummy it is the call too" if is_same(call, played) else "Double dummy"
    words = "; ".join(call_words(played))
    return [
        *textwrap.wrap(f"Call: {words}.", 80, break_on_hyphens=False),
        *textwrap.wrap(reasons, 80, break_on_hyphens=False),
        "",
        *_call_lines(call, other),
    ]


def _call_lines(call: dict[str, Any], name: str) -> list[str]:
    """The call of double-dummy rates, and what speaks for it."""
    unit, ahead = call["unit"], call["ahead"]
    lines = textwrap.wrap(f"{name}: {'; '.join(call_words(call))}.", 80, break_on_hyphens=False)
    reasons = passing_words(call["passing"], unit)
    if call["bid"] is not None:
        reasons = f"the bid is worth {call['marks']:+.2f} {unit}; {reasons}"
    if ahead is not None and ahead["low"] is not None:
        reasons += f". Bid that holds less pass: {ahead['low']:+.2f} to {ahead['high']:+.2f} (95 %)"
    if call["opened"] is not None:
        reasons += f". {opened_words(call['opened'], unit)}"
    lines += textwrap.wrap(f"{reasons[0].upper()}{reasons[1:]}.", 80, break_on_hyphens=False)
    if call["second"] is not None:
        lines += _second_lines(call["second"], unit)
    if call["bid"] is not None and call["cross_fitted"] is not None:
        lines += [
            "What looks best on some deals owes part of that to luck (the winner's curse):",
            "calls chosen on one half of the deals and rated on the other are worth",
            f"{call['cross_fitted']:+.2f} {unit}.",
        ]
    return lines


def _second_lines(second: dict[str, Any], unit: str) -> list[str]:
    lines = [f"Next: bid {second['bid']}, trump {second['trump']}: {second['marks']:+.2f} {unit}."]
    difference = f"On the same deals the call is ahead by {second['difference']:+.2f} {unit},"
    return [*lines, difference, f"95 % interval {second['low']:+.2f} to {second['high']:+.2f}."]


def solution_dict(solution: Solution) -> dict[str, Any]:
    """A solution as plain data."""
    position = solution.position
    return {
        "deal": " / ".join(map(format_tiles, solution.masks)),
        "trump": str(solution.trump),
        "leader": solution.leader,
        "played": [NAMES[tile] for tile in position.plays],
        "taken": position.points[solution.leader % 2],
        "turn": solution.turn,
        "points": solution.points,
        "plays": solution.plays,
        "best": list(solution.best),
        "rules": solution.rules.as_dict(),
        "line": [list(trick) for trick in solution.line],
    }


def solution_text(solution: Solution) -> str:
    """A solution for a terminal: the hands, every play, and the line trick by trick."""
    side = f"seats {solution.leader % 2} and {solution.leader % 2 + 2}"
    position = solution.position
    plays = "  ".join(f"{play}: {points}" for play, points in solution.plays.items())
    lines = [
        *_standing(solution),
        f"{side.capitalize()} take {solution.points} of {solution.total} points.",
        "Double dummy: all four hands are seen, and all play as well as can be.",
        *rules_lines(solution.rules),
        "",
        *(f"  seat {seat}  {format_tiles(hand)}" for seat, hand in enumerate(position.hands)),
        "",
        f"{'Plays' if position.plays else 'Opening leads'}   {plays}",
        *([f"Best    {'  '.join(solution.best)}"] if position.plays else []),
        "",
        "trick  a line of best play (seat tile)        won by  points  " + side,
    ]
    taken = 0
    for number, trick in enumerate(solution.tricks, start=1):
        taken += trick.points if (trick.winner - solution.leader) % 2 == 0 else 0
        if number <= len(position.done):
            continue
        played = "  ".join(
            f"{trick.seat_of(place)} {NAMES[tile]}" for place, tile in enumerate(trick.tiles)
        )
        lines.append(f"{number:5}  {played:37}  seat {trick.winner}{trick.points:8}{taken:8}")
    return "\n".join(lines) + "\n"


def _standing(solution: Solution) -> list[str]:
    """The trump, and who leads or what is on the table."""
    position = solution.position
    if not position.plays:
        return [f"Trump {solution.trump}, seat {solution.leader} leads."]
    count, (even, odd) = len(position.plays), position.points
    tiles = count_words(count, count, "tile")
    taken = f"{tiles} played: seats 0 and 2 have {even}, seats 1 and 3 {odd}"
    if not position.table:
        return [f"Trump {solution.trump}, {taken}.", f"Seat {solution.turn} leads."]
    table = "  ".join(
        f"{(position.leader + place) % 4} {NAMES[tile]}"
        for place, tile in enumerate(position.table)
    )
    return [
        f"Trump {solution.trump}, {taken}.",
        f"Seat {solution.turn} is to play; on the table: {table}.",
    ]
