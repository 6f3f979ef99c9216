"""Random positions to solve: endings at the start of a trick, and inside tricks."""

import naive
import numpy as np

from sim42.deals.random import random_deals
from sim42.game.tiles import tiles_of
from sim42.game.tricks import Tricks


def endings(count, tricks, seed):
    """Positions at the start of a trick, each four hands of `tricks` tiles out of a random deal."""
    random = np.random.default_rng(seed)
    bits = np.array([[tiles_of(hand) for hand in deal] for deal in random_deals(count, seed)])
    kept = random.permuted(bits, axis=2)[:, :, :tricks]
    return (1 << kept).sum(axis=2)


def inside_tricks(count, tricks, trump, doubles, seed):
    """Games with `tricks` tiles a seat at the start of the trick on the table.

    Number n has n % 4 tiles on the table, any legal ones, and a leader of each seat in turn.
    """
    random = np.random.default_rng(seed)
    games = []
    for number, hands in enumerate(endings(count, tricks, seed).tolist()):
        game = Tricks(trump, doubles, tuple(hands), leader=number // 4 % 4)
        for _ in range(number % 4):
            game = game.play(int(random.choice(tiles_of(game.legal_mask))))
        games.append(game)
    return games


def naive_plays(game):
    """Points that the side which led takes to the end after each legal play, by plain minimax."""
    hands = tuple(tuple(naive.TILES[tile] for tile in tiles_of(mask)) for mask in game.hands)
    table = tuple(naive.TILES[tile] for tile in game.table)
    rules = game.trump, game.doubles
    tiles = [*table, *(tile for hand in hands for tile in hand)]
    total = len(tiles) // 4 + sum(map(naive.worth, tiles))
    known, found = {}, {}
    for tile in naive.legal_tiles(hands[game.turn], table[0] if table else None, *rules):
        left = tuple(tuple(t for t in hand if t != tile) for hand in hands)
        played = (*table, tile)
        if len(played) < 4:
            points = naive.value(left, *rules, game.leader, played, known)
        else:
            winner = (game.leader + naive.trick_winner(played, *rules)) % 4
            points = naive.trick_points(played) if winner in (0, 2) else 0
            points += naive.value(left, *rules, winner, (), known)
        found[naive.TILES.index(tile)] = total - points if game.leader % 2 else points
    return found
