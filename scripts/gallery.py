"""One picture of each kind, with the command that drew it: ``python scripts/gallery.py RUN``.

RUN is a directory of ``sim42 survey``. Pictures and their page go to results/gallery.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from sim42.files import write_file

ROOT = Path(__file__).parent.parent
GALLERY = ROOT / "results" / "gallery"
HANDS = {"hand": "6-4 5-5 4-2 3-1 2-0 1-1 0-0", "strong": "6-6 6-5 6-4 6-2 5-5 4-4 1-0"}
PICTURES = (
    ("hand", "What to bid: every trump and bid of one hand.", "hand strong.json"),
    (
        "curve",
        "The same hand against all others: grey is a survey's middle half.",
        "curve hand.json RUN",
    ),
    (
        "points",
        "Points come in jumps: losing one trick costs the count in it.",
        "points hand.json",
    ),
    ("convergence", "How many deals are enough.", "convergence hand.json"),
    ("compare", "Two hands, and the difference between them.", "compare strong.json hand.json"),
    ("types", "What trumps and doubles are worth.", "types RUN"),
    ("shapes", "The same by shape: trumps-doubles-offs.", "types RUN --by shape"),
    ("bids", "How high hands can bid.", "bids RUN"),
    ("trumps", "Which trump is best, and what the second best costs.", "trumps RUN"),
    ("survey", "How many hands are enough.", "convergence RUN"),
)
"""Name of each picture, what it shows, and the words after ``sim42 chart``."""


def sim42(words: str, folder: str) -> None:
    """Run the sim42 of this checkout in a folder."""
    command = [sys.executable, "-m", "sim42", *shlex.split(words)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    subprocess.run(command, cwd=folder, env=environment, check=True)


def main(run: str) -> None:
    GALLERY.mkdir(parents=True, exist_ok=True)
    page = [
        "# Gallery",
        "",
        "Made by `python scripts/gallery.py RUN`. Every picture says on how many deals and hands",
        "it rests.",
        "",
        "```console",
    ]
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "RUN").symlink_to(Path(run).resolve(), target_is_directory=True)
        for name, hand in HANDS.items():
            words = f'bid "{hand}" --deals 1000 --seed 42 -o {name}.json'
            sim42(words, folder)
            page.append(f"$ sim42 {words}")
        page.append("```")
        for name, text, words in PICTURES:
            drawn = f"chart {words} -o {name}.png"
            sim42(f"{drawn} --dpi 100", folder)
            write_file(GALLERY / f"{name}.png", (Path(folder) / f"{name}.png").read_bytes())
            page += ["", f"## {text}", "", f"![{text}]({name}.png)", "", f"`sim42 {drawn}`"]
    write_file(GALLERY / "README.md", "\n".join([*page, ""]).encode())


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
