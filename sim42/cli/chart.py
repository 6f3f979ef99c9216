"""``sim42 chart``: pictures of a bid or of a survey."""

from typing import TYPE_CHECKING, Any, Final

import click

from sim42.cli.options import OneTrump, Whole

if TYPE_CHECKING:
    pass

BID, RUN = "bid.json", "RUN"
KINDS: Final = {
    "hand": (BID,),
    "curve": (BID,),
    "points": (BID,),
    "types": (RUN,),
    "bids": (RUN,),
    "trumps": (RUN,),
    "convergence": (BID, RUN),
    "compare": (BID, RUN),
}
"""What each kind of chart is drawn from."""


@click.command("chart")
@click.argument("kind", type=click.Choice(list(KINDS)))
@click.argument("sources", metavar="RUN|bid.json ...", nargs=-1, required=True)
@click.option("-o", "--output", metavar="FILE", required=True, help="The picture; - for stdout.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(("png", "svg", "pdf")),
    help="Format of the picture; by the ending of FILE, else png.",
)
@click.option(
    "--dpi", type=Whole(10, 1200), default=150, show_default=True, help="Dots per inch of a png."
)
@click.option("--title", metavar="TEXT", help="A title of your own.")
@click.option(
    "--trump",
    type=OneTrump(),
    help="points, convergence, compare: the trump; the best if not given.",
)
@click.option(
    "--bid", type=Whole(30, 42), default=30, show_default=True, help="convergence: the bid."
)
@click.option(
    "--by",
    type=click.Choice(("doubles", "shape")),
    default="doubles",
    show_default=True,
    help="types: trumps x doubles held, or shapes.",
)
@click.option("--force", is_flag=True, help="Replace a file that exists.")
def command(
    kind: str,
    sources: tuple[str, ...],
    output: str,
    format_: str | None,
    dpi: int,
    title: str | None,
    force: bool,
    **options: Any,
) -> None:
    """Draw a picture of what sim42 bid or sim42 survey found.

    \b
    hand         heat map of trumps and bids, with the recommended call    bid.json
    curve        chance of each bid by trump; a RUN too: other hands behind  bid.json [RUN]
    points       how often each number of points comes                     bid.json
    types        chance of 30 and 42 by trumps and doubles held, or shape  RUN
    bids         the highest bid that hands can make                       RUN
    trumps       which trump is best, and what the second best costs       RUN
    convergence  the estimate against the number of deals                  bid.json or RUN
    compare      two hands or two runs, and their difference               two of either

    bid.json is what sim42 bid --format json writes, RUN a directory of sim42 survey.
    """
