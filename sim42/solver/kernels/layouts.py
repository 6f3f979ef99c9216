"""The layouts of hidden tiles on three seats: counted, numbered, and drawn with equal chances.

Each hidden tile may be with one seat, two, or all three, which makes seven classes. Tiles that may
be with one seat are there. What is left is how many tiles of the three classes of two seats, ab, ac
and bc, go to the first of the two: `x`, `y`, `z`. These fix how many of the class of all three go
to each seat. A *split* is such a triple, and its number of layouts a product of binomials; so a
layout is one number: the split that it falls into, and then a combination for each class.
"""

import numpy as np

from sim42.solver.kernels._jit import kernel
from sim42.solver.kernels.bits import popcount
from sim42.solver.kernels.draws import LOW, number_below

HAND = 7
MOST_SPLITS = (HAND + 1) ** 3
CHOOSE = np.array(
    [[1 if k == 0 else 0 for k in range(HAND + 1)] for n in range(29)], dtype=np.int64
)
"""[n, k]: ways to choose k of n tiles."""
for _n in range(1, 29):
    CHOOSE[_n, 1:] = CHOOSE[_n - 1, 1:] + CHOOSE[_n - 1, :-1]


@kernel
def classes_of(a, b, c):
    """The classes of tiles: those of a alone, b alone, c alone, ab, ac, bc, abc."""
    return a & ~b & ~c, b & ~a & ~c, c & ~a & ~b, a & b & ~c, a & c & ~b, b & c & ~a, a & b & c


@kernel
def count_splits(may_hold, sizes, splits, upto):
    """Enter the splits and the layouts up to each; returns the number of splits.

    may_hold (3,) masks, sizes (3,) -> splits (512, 6): x, y, z, and what a, b, c get of the class
    abc; upto (512,). There are none when no layout fits. Sizes add up to the tiles.
    """
    alone_a, alone_b, alone_c, ab, ac, bc, abc = classes_of(may_hold[0], may_hold[1], may_hold[2])
    room_a = sizes[0] - popcount(alone_a)
    room_b = sizes[1] - popcount(alone_b)
    room_c = sizes[2] - popcount(alone_c)
    size_ab = popcount(ab)
    size_ac = popcount(ac)
    size_bc = popcount(bc)
    size_abc = popcount(abc)
    number = 0
    total = 0
    for x in range(min(size_ab, room_a) + 1):
        for y in range(min(size_ac, room_a - x) + 1):
            for z in range(min(size_bc, room_b - size_ab + x) + 1):
                get_a = room_a - x - y
                get_b = room_b - (size_ab - x) - z
                get_c = room_c - (size_ac - y) - (size_bc - z)
                if get_c < 0 or size_ab - x > HAND or size_ac - y > HAND or size_bc - z > HAND:
                    continue
                ways = CHOOSE[size_ab, x] * CHOOSE[size_ac, y] * CHOOSE[size_bc, z]
                ways *= CHOOSE[size_abc, get_a] * CHOOSE[size_abc - get_a, get_b]
                total += ways
                splits[number, 0] = x
                splits[number, 1] = y
                splits[number, 2] = z
                splits[number, 3] = get_a
                splits[number, 4] = get_b
                splits[number, 5] = get_c
                upto[number] = total
                number += 1
    return number


@kernel
def combination(mask, size, number):
    """Combination `number` of `size` tiles of a mask; those with its lowest tile come first."""
    taken = 0 * mask
    left = popcount(mask)
    while size:
        tile = mask & -mask
        mask ^= tile
        left -= 1
        with_tile = CHOOSE[left, size - 1]
        if number < with_tile:
            taken |= tile
            size -= 1
        else:
            number -= with_tile
    return taken


@kernel
def lay(may_hold, split, number, held):
    """Enter in held (3,) the layout with this number within a split."""
    alone_a, alone_b, alone_c, ab, ac, bc, abc = classes_of(may_hold[0], may_hold[1], may_hold[2])
    ways = CHOOSE[popcount(ab), split[0]]
    of_ab = combination(ab, split[0], number % ways)
    number //= ways
    ways = CHOOSE[popcount(ac), split[1]]
    of_ac = combination(ac, split[1], number % ways)
    number //= ways
    ways = CHOOSE[popcount(bc), split[2]]
    of_bc = combination(bc, split[2], number % ways)
    number //= ways
    ways = CHOOSE[popcount(abc), split[3]]
    to_a = combination(abc, split[3], number % ways)
    number //= ways
    to_b = combination(abc ^ to_a, split[4], number)
    held[0] = alone_a | of_ab | of_ac | to_a
    held[1] = alone_b | ab ^ of_ab | of_bc | to_b
    held[2] = alone_c | ac ^ of_ac | bc ^ of_bc | abc ^ to_a ^ to_b


@kernel
def count_layouts(may_hold, sizes):
    """How many ways there are to lay hidden tiles on three seats.

    may_hold (3,): mask of the hidden tiles that each seat may hold, every hidden tile with one seat
    at least; sizes (3,): how many each holds, together all of them. 0 when no layout fits.
    """
    splits = np.empty((MOST_SPLITS, 6), np.int64)
    upto = np.empty(MOST_SPLITS, np.int64)
    number = count_splits(may_hold, sizes, splits, upto)
    return upto[number - 1] if number else 0


@kernel
def lay_numbers(may_hold, sizes, numbers):
    """The layouts with these numbers, each from 0 to their count - 1; int64 (n, 3) of masks."""
    splits = np.empty((MOST_SPLITS, 6), np.int64)
    upto = np.empty(MOST_SPLITS, np.int64)
    held = np.empty((numbers.shape[0], 3), np.int64)
    found = upto[: count_splits(may_hold, sizes, splits, upto)]
    for n in range(numbers.shape[0]):
        split = np.searchsorted(found, numbers[n], side="right")
        before = found[split - 1] if split else 0
        lay(may_hold, splits[split], numbers[n] - before, held[n])
    return held


@kernel
def draw_numbers(count, bound, key, place):
    """Numbers below a bound, `count` of them: the draws 0, 1, ... of a place of three words.

    key is two words of 32 bits.
    """
    numbers = np.empty(count, np.int64)
    for n in range(count):
        numbers[n] = number_below(bound, key, (n & LOW, place[0], place[1], place[2]))
    return numbers
