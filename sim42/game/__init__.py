"""The game of 42 as a 42 player reads it: the reference for everything compiled.

A room for each part of the rule book: `auction` (A1 to A5), `tricks` (R5 to R7), `score` (S1 to
S3), `claims`, and `state`, where `Game` puts them together; the suits are in `sim42.suits` (R2 to
R7).
"""

from sim42.game.auction import Auction
from sim42.game.claims import takes_every_trick
from sim42.game.score import result_of
from sim42.game.state import Game
from sim42.game.tricks import Trick, Tricks, winning_place

__all__ = ["Auction", "Game", "Trick", "Tricks", "result_of", "takes_every_trick", "winning_place"]
