"""A hand played by four players, each from its own view."""

from collections.abc import Sequence

from sim42.errors import IllegalPlay, at
from sim42.game.rules import PASS, Contract, Rules
from sim42.game.score import stops
from sim42.game.tiles import Masks
from sim42.game.tricks import Tricks
from sim42.game.trumps import Trump
from sim42.game.views import view_of
from sim42.play.players import Draw, Player, SeeingPlayer


def play_hand(
    deal: Masks,
    trump: Trump,
    contract: Contract,
    players: Sequence[Player | SeeingPlayer],
    seed: int,
    number: int,
    rules: Rules,
) -> Tricks:
    """The play of a deal to its end, or to where the contract is decided (S1).

    Parameters
    ----------
    deal : tuple of four int
        Mask of each seat's tiles.
    trump : Trump
        What the declarer named.
    contract : Contract
        The declarer, who spoke first and leads first (R7); all others passed.
    players : sequence of four players
        Who decides for seats 0 to 3.
    seed, number : int
        What all chance of the players depends on, with the number of each play.
    rules : Rules
        Options of the game.

    Raises
    ------
    IllegalPlay
        When a player names a tile that may not be played; says who and why.

    >>> from sim42.deals.random import random_deals
    >>> from sim42.play.club import ClubPlayer
    >>> deal = tuple(random_deals(1, seed=42)[0].tolist())
    >>> end = play_hand(deal, Trump.FIVES, Contract(0, 30), [ClubPlayer()] * 4, 42, 0, Rules())
    >>> max(end.points) >= 13
    True
    """
    speakers = ((contract.declarer + place) % 4 for place in range(4))
    bids = [(seat, contract.bid if seat == contract.declarer else PASS) for seat in speakers]
    tricks = Tricks(trump, rules.doubles, deal, contract.declarer)
    while not (tricks.is_over or stops(contract, tricks.points, rules)):
        player = players[tricks.turn]
        if hasattr(player, "choose_seeing"):
            tile = player.choose_seeing(tricks, contract)
        else:
            draw = Draw(seed, number, len(tricks.plays))
            tile = player.choose(view_of(tricks, contract, bids), draw)
        with at(f"{player}, play {len(tricks.plays) + 1}"):
            if isinstance(tile, bool) or not isinstance(tile, int) or not 0 <= tile < 28:
                raise IllegalPlay(f"{tile!r}: a play is a tile id, 0 to 27")
            tricks = tricks.play(tile)
    return tricks
