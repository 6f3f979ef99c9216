"""A game in words and in pictures, trick by trick, and in words why it refuses."""

from collections.abc import Iterator
from html import escape
from typing import TYPE_CHECKING

from sim42.game.auction import listed
from sim42.game.dominoes import rows_svg
from sim42.game.records import format_bid
from sim42.game.rules import MARK
from sim42.game.tiles import ENDS, NAMES, SEATS, format_tiles, mask_of

if TYPE_CHECKING:
    from sim42.game.state import Game


def game_text(game: "Game") -> str:
    """The hands, the auction, every trick with both sides' points so far, and how it stands."""
    lines = [*_opening(game), ""]
    lines += [f"  seat {seat}  {hand}" for seat, hand in enumerate(game.deal.hands)]
    lines += ["", *_auction(game)]
    if game.plays:
        lines += ["", *_tricks(game)]
    return "\n".join([*lines, "", *_standing(game)])


def game_html(game: "Game") -> str:
    """The same with drawn tiles: the hands as dealt, then a row a trick."""
    labels, rows = [], []
    points = [0, 0]
    for number, trick in enumerate(game.done, start=1):
        points[trick.winner % 2] += trick.points
        labels.append(
            f"{number}: seat {trick.leader} leads, seat {trick.winner} wins, {_to(points)}"
        )
        rows.append([ENDS[tile] for tile in trick.tiles])
    if game.tricks and game.tricks.table:
        labels.append(f"{len(rows) + 1}: seat {game.tricks.leader} leads")
        rows.append([ENDS[tile] for tile in game.tricks.table])
    hands = [[ENDS[tile] for tile in hand] for hand in game.deal.hands]
    parts = [
        _paragraph(_opening(game)),
        rows_svg(hands, [f"seat {seat}" for seat in SEATS]),
        _paragraph(_auction(game)),
        rows_svg(rows, labels) if rows else "",
        _paragraph(_standing(game)),
    ]
    return f"<div>{''.join(parts)}</div>"


def game_repr(game: "Game") -> str:
    """The expression that makes the game."""
    parts = [repr(game.deal), f"shaker={game.shaker}"]
    if game.score != (0, 0):
        parts.append(f"score={game.score}")
    if changes := game.rules.changes():
        options = ", ".join(f"{name}={value!r}" for name, value in changes.items())
        parts.append(f"rules=Rules({options})")
    if game.bids:
        parts.append(f"bids={game.bids}")
    if game.trump is not None:
        parts.append(f"trump='{game.trump}'")
    if game.plays:
        parts.append(f"plays={tuple(NAMES[tile] for tile in game.plays)}")
    if game.claimed:
        parts.append("claim=True")
    return f"Game({', '.join(parts)})"


def refusal(game: "Game", rule: str, what: str) -> str:
    """What cannot be done and by which rule, or by the one that ended the hand; what can."""
    if game.phase == "play":
        due = f"seat {game.turn} is to play; legal: {format_tiles(mask_of(game.legal_plays))}"
    elif game.phase != "over":
        due = f"seat {game.turn} is to {'call trump' if game.phase == 'call' else 'bid'}"
    elif game.contract:
        rule, due = "S1", "the hand is over, decided"
    else:
        rule, due = "A4", "the hand is over, all passed"
    return f"{rule}: {what}; {due}"


def _paragraph(lines: Iterator[str]) -> str:
    text = "<br>".join(escape(line) for line in lines)
    return f"<p>{text}</p>" if text else ""


def _opening(game: "Game") -> Iterator[str]:
    yield f"Seat {game.shaker} shakes; the score is {_to(game.score)}."
    if changes := game.rules.changes():
        yield "Rules: " + ", ".join(f"{name} = {value}" for name, value in changes.items()) + "."


def _auction(game: "Game") -> Iterator[str]:
    if game.bids:
        spoken = (f"seat {game.auction.seat_of(n)} {_bid(bid)}" for n, bid in enumerate(game.bids))
        yield f"Bids: {', '.join(spoken)}."
    if game.contract and game.trump is not None:
        declarer, bid = game.contract
        yield f"Seat {declarer} plays {_bid(bid)}, trump {game.trump}."


def _tricks(game: "Game") -> Iterator[str]:
    yield "trick  seat and tile played              won by  points  seats 0, 2  seats 1, 3"
    points = [0, 0]
    for number, trick in enumerate(game.done, start=1):
        points[trick.winner % 2] += trick.points
        yield (
            f"{number:5}  {_played(trick.leader, trick.tiles):35}  seat {trick.winner}"
            f"{trick.points:8}{points[0]:12}{points[1]:12}"
        )
    if game.tricks and game.tricks.table:
        yield f"{len(game.done) + 1:5}  {_played(game.tricks.leader, game.tricks.table)}"


def _standing(game: "Game") -> Iterator[str]:
    """What comes next, or how the hand ended."""
    if game.phase == "bid":
        yield f"Seat {game.turn} is to bid: {listed(game.legal_bids)}."
    elif game.phase == "call":
        yield f"Seat {game.turn} is to call trump."
    elif game.phase == "play":
        yield f"Seat {game.turn} is to play: {format_tiles(mask_of(game.legal_plays))}."
    elif (result := game.result) and game.contract:
        if game.claimed and game.tricks:
            yield f"Seat {game.tricks.leader} claims every trick left."
        ending = "made" if result.made else "set"
        yield f"Bid of {_bid(game.contract.bid)} {ending}, points {_to(result.points)}."
        unit = game.rules.scoring
        yield f"Scored {_to(result.score)} {unit}; the score is {_to(game.score_after)}."
    else:
        yield "All passed."
    if game.phase == "over" and (winner := game.match_winner) is not None:
        yield f"Seats {winner} and {winner + 2} win the match."
    elif game.phase == "over":
        yield f"Seat {game.next_shaker} shakes next."


def _played(leader: int, tiles: tuple[int, ...]) -> str:
    return "   ".join(f"{(leader + n) % 4} {NAMES[tile]}" for n, tile in enumerate(tiles))


def _bid(bid: int) -> str:
    marks = bid // MARK
    return format_bid(bid) + (f" ({marks} mark{'s' if marks > 1 else ''})" if marks else "")


def _to(pair: "tuple[int, int] | list[int]") -> str:
    return f"{pair[0]} to {pair[1]}"
