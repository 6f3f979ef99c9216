"""Write tests/data/perft: legal sequences counted by tests/naive.py, for fixed hands and each call.

Run from the root of the repository: python scripts/make_perft.py [DEPTH]. The hands are the first
deals of seed 42, and then the three highest tiles of each seat, played to the end. Seat 0 leads in
the first of them, seat 1 in the next, and so on.
"""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

import naive  # noqa: E402

from sim42.deals.random import random_deals  # noqa: E402
from sim42.files import write_file  # noqa: E402
from sim42.game.tiles import format_tiles, mask_of, tiles_of  # noqa: E402
from sim42.game.trumps import Trump  # noqa: E402

SEED = 42
DEALS = 4
CALLS = [
    *((trump, "high") for trump in Trump),
    (Trump.FOLLOW_ME, "low"),
    (Trump.FOLLOW_ME, "own_suit"),
]


def main(depth: int) -> None:
    folder = ROOT / "tests" / "data" / "perft"
    folder.mkdir(parents=True, exist_ok=True)
    deals = [[tiles_of(mask) for mask in deal] for deal in random_deals(DEALS, SEED).tolist()]
    endings = [[tiles[-3:] for tiles in deal] for deal in deals]
    for trump, doubles in CALLS:
        lines = [f"trump {trump}", f"doubles {doubles}"]
        for number, hands in enumerate(deals + endings):
            leader = number % 4
            text = " / ".join(format_tiles(mask_of(tiles)) for tiles in hands)
            lines += ["", f"hands {text}", f"leader {leader}"]
            pairs = [[naive.TILES[tile] for tile in tiles] for tiles in hands]
            for plays in range(1, min(depth, 4 * len(hands[0])) + 1):
                count = naive.perft(pairs, int(trump), plays, doubles, leader)
                lines.append(f"perft {plays} {count}")
        name = str(trump) if doubles == "high" else f"{trump}-{doubles}"
        write_file(folder / f"{name}.txt", "\n".join([*lines, ""]).encode())
        print(name)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 9)
