"""What a player sees in a hand: quick columns against the words of the rules, spelled out."""

from itertools import takewhile

import numpy as np
import pytest

from sim42 import Hand, Trump
from sim42.deals.random import random_hands
from sim42.tables.features import FEATURES, hand_features

COUNT = {(5, 5): 10, (6, 4): 10, (5, 0): 5, (4, 1): 5, (3, 2): 5}


def slow_features(mask, trump):
    tiles = [tuple(map(int, name.split("-"))) for name in str(Hand(mask)).split()]
    everything = [(high, low) for high in range(7) for low in range(high + 1)]

    def is_trump(tile):
        if trump == Trump.FOLLOW_ME:
            return False
        return tile[0] == tile[1] if trump == Trump.DOUBLES else int(trump) in tile

    def rank(tile):
        if trump == Trump.DOUBLES:
            return tile[0]
        return 100 if tile[0] == tile[1] else sum(tile)

    trumps = [tile for tile in tiles if is_trump(tile)]
    doubles = [tile for tile in tiles if tile[0] == tile[1] and tile not in trumps]
    offs = [tile for tile in tiles if tile not in trumps and tile not in doubles]
    protected = [tile for tile in offs if (tile[0], tile[0]) in tiles]
    best = max(map(rank, trumps), default=-1)
    outside = [tile for tile in everything if is_trump(tile) and tile not in tiles]
    top = (6, 6) if trump == Trump.DOUBLES else (int(trump), int(trump))

    def beaten(tile):
        """The tiles outside that beat an off or a trump of the hand when it is led."""
        if is_trump(tile):
            return [other for other in outside if rank(other) > rank(tile)]
        order = [(tile[0], tile[0]), *((tile[0], end) for end in range(6, -1, -1))]
        order = [tuple(sorted(other, reverse=True)) for other in order]
        higher = order[: order.index(tile)]
        return [other for other in higher if not is_trump(other) and other not in tiles]

    def most_beaten(mine, others):
        """The most trumps that can be beaten, each by another one: all ways are tried."""
        if not mine:
            return 0
        first, *rest = mine
        ways = [
            1 + most_beaten(rest, [o for o in others if o != other])
            for other in others
            if rank(other) > rank(first)
        ]
        return max([*ways, most_beaten(rest, others)])

    losers = [tile for tile in offs if beaten(tile)]
    lost = len(losers) + most_beaten(trumps, outside)
    counts = sorted((COUNT[tile] for tile in COUNT if tile not in tiles), reverse=True)
    at_risk = sum(counts[: 3 * lost])
    at_risk += sum(COUNT.get(tile, 0) for tile in [*losers, *trumps] if beaten(tile))
    suit = sorted(filter(is_trump, everything), key=rank, reverse=True)
    kinds = {Trump.DOUBLES: "doubles", Trump.FOLLOW_ME: "follow-me"}
    return {
        "kind": kinds.get(trump, "pip"),
        "trumps": len(trumps),
        "double_held": trump != Trump.FOLLOW_ME and top in tiles,
        "top_missing": sum(rank(tile) > best for tile in outside),
        "doubles": len(doubles),
        "offs": len(offs),
        "protected": len(protected),
        "bare": len(offs) - len(protected),
        "count": sum(COUNT.get(tile, 0) for tile in tiles),
        "count_in_offs": sum(COUNT.get(tile, 0) for tile in offs),
        "voids": sum(
            not any(pip in tile and tile not in trumps for tile in tiles)
            for pip in range(7)
            if pip != trump
        ),
        "tops": len(list(takewhile(tiles.__contains__, suit))),
        "cover": len(offs) - len(losers),
        "longest_side_suit": max(
            sum(pip in tile and tile not in trumps for tile in tiles) for pip in range(7)
        ),
        "points_at_risk": at_risk,
        "shape": f"{len(trumps)}-{len(doubles)}-{len(offs)}",
    }


@pytest.mark.parametrize("trump", list(Trump), ids=str)
def test_columns_are_what_the_words_mean(trump):
    masks = random_hands(3000, seed=11)
    quick = hand_features(masks, trump)
    assert tuple(quick.columns) == FEATURES
    assert quick.to_dict("records") == [slow_features(mask, trump) for mask in masks.tolist()]


def test_a_trump_for_each_hand():
    masks = random_hands(900, seed=12)
    trumps = np.arange(900) % 9
    mixed = hand_features(masks, trumps)
    for trump in Trump:
        rows = mixed[trumps == trump].reset_index(drop=True)
        assert rows.equals(hand_features(masks[trumps == trump], trump))


@pytest.mark.parametrize(
    ("hand", "trump", "expected"),
    [
        ("5-5 6-5 5-4 5-3 6-6 6-4 1-0", "fives", ("4-1-2", 1, 1, 0, 20, 10)),
        ("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "doubles", ("7-0-0", 0, 0, 0, 10, 0)),
        ("6-6 5-5 4-4 3-3 2-2 1-1 0-0", "follow-me", ("0-7-0", 0, 0, 0, 10, 0)),
        ("6-5 6-4 6-3 5-4 5-3 4-3 2-1", "blanks", ("0-0-7", 0, 7, 7, 10, 10)),
        ("6-6 6-5 5-5 5-4 4-4 4-3 3-2", "doubles", ("3-0-4", 3, 1, 0, 15, 5)),
    ],
)
def test_hands_counted_by_eye(hand, trump, expected):
    row = hand_features([Hand(hand).mask], Trump(trump)).iloc[0]
    names = ["shape", "protected", "bare", "top_missing", "count", "count_in_offs"]
    assert tuple(row[names]) == expected


@pytest.mark.parametrize(
    ("hand", "trump", "expected"),
    [
        # Nothing can be lost.
        ("6-6 6-5 6-4 6-3 6-2 6-1 6-0", "sixes", (7, 0, 0, 0)),
        # 6-5 outside takes one trump, perhaps 5-0; 6-4, 4-1 and 3-2 may fall on it.
        ("5-5 5-4 5-3 5-2 5-1 5-0 6-6", "fives", (1, 0, 1, 5 + 10 + 5 + 5)),
        # 6-4 is high after 6-6; 3-1 alone is lost, and takes three of 5-0, 4-1, 3-2.
        ("5-5 6-5 5-4 5-3 6-6 6-4 3-1", "fives", (4, 1, 2, 15)),
        # 4-4 outside takes one double; 6-5 heads the sixes, as 6-6 is no six.
        ("6-6 5-5 3-3 2-2 1-1 0-0 6-5", "doubles", (2, 1, 1, 10 + 5 + 5)),
        ("6-6 6-5 6-4 5-5 5-4 4-4 4-3", "follow-me", (0, 4, 4, 0)),
    ],
)
def test_risks_counted_by_eye(hand, trump, expected):
    row = hand_features([Hand(hand).mask], Trump(trump)).iloc[0]
    assert tuple(row[["tops", "cover", "longest_side_suit", "points_at_risk"]]) == expected


def test_no_hands_no_rows():
    assert hand_features(np.empty(0, dtype=np.int64), Trump.FIVES).shape == (0, len(FEATURES))
