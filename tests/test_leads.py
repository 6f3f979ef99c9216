"""Leads of a player who sees one hand: hidden tiles, samples, tables, the command."""

import csv
import io
import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from scipy import stats

from sim42 import Deal, Game, Hand, Rules, Trump, bid_table, solve
from sim42.charts import chart_lead
from sim42.cli import main
from sim42.deals.hidden import hidden_hands
from sim42.deals.random import deals_around, random_deals
from sim42.errors import RequestError
from sim42.game.records import format_record
from sim42.game.suits import suits
from sim42.game.tiles import NAMES, parse_hands, parse_tile, tiles_of
from sim42.game.tricks import Tricks
from sim42.runs.leads import sample_leads, sample_plays
from sim42.runs.sample import sample_hand
from sim42.tables.counts import BIDS
from sim42.tables.leads import SEEING, cross_fitted, fixed_leads, lead_table, wins
from sim42.tables.spread import mean_interval

HAND = "6-4 5-5 4-2 3-1 2-0 1-1 0-0"


def random_game(seed, trump, plays, leader=0):
    random = np.random.default_rng(seed)
    deal = Deal(random_deals(1, seed)[0].tolist())
    play = Tricks(trump, "high", deal.masks, leader)
    for _ in range(plays):
        play = play.play(int(random.choice(tiles_of(play.legal_mask))))
    return play


# --- hidden tiles ---------------------------------------------------------------------------------


def could_be(play, hands):
    """Whether these hands agree with all that the seat to play knows, asked play by play."""
    if hands[play.turn] != play.hands[play.turn]:
        return False
    for trick_leader, tiles in [
        *((trick.leader, trick.tiles) for trick in play.done),
        (play.leader, play.table),
    ]:
        for place, tile in enumerate(tiles):
            seat = (trick_leader + place) % 4
            table = suits(play.trump, play.doubles)
            follow = table.follows[table.leads[tiles[0]]]
            if not follow >> tile & 1 and hands[seat] & follow:
                return False
    return True


def every_layout(play):
    """All hands that agree, by trying every order of the hidden tiles."""
    seats = [seat for seat in range(4) if seat != play.turn]
    unseen = [tile for seat in seats for tile in tiles_of(play.hands[seat])]
    found = set()
    for order in permutations(unseen):
        hands, start = list(play.hands), 0
        for seat in seats:
            size = play.hands[seat].bit_count()
            hands[seat] = sum(1 << tile for tile in order[start : start + size])
            start += size
        found.add(tuple(hands))
    return {hands for hands in found if could_be(play, hands)}


@pytest.mark.parametrize("plays", [20, 21, 22, 23])
def test_hidden_hands_are_all_that_agree_with_what_is_known(plays):
    for seed in range(8):
        play = random_game(seed, Trump(seed), plays, seed % 4)
        hidden = hidden_hands(play, 10_000, seed=1)
        found = [tuple(row) for row in hidden.hands.tolist()]
        assert hidden.is_all
        assert hidden.ways == len(found) == len(set(found))
        assert set(found) == every_layout(play)
        assert play.hands in found


def test_hidden_hands_are_drawn_evenly():
    play = next(
        play
        for play in (random_game(seed, Trump.FIVES, 18) for seed in range(1000))
        if 100 < hidden_hands(play, 1, seed=0).ways < 200
    )
    ways = hidden_hands(play, 1, seed=0).ways
    counted = Counter()
    for seed in range(100):
        hidden = hidden_hands(play, ways - 1, seed)
        assert not hidden.is_all
        counted.update(map(tuple, hidden.hands.tolist()))
    draws = counted.total()
    assert len(counted) == ways
    spread = sum((times - draws / ways) ** 2 for times in counted.values()) / (draws / ways)
    assert spread < ways + 5 * (2 * ways) ** 0.5  # chi-square of ways - 1 degrees of freedom


def test_layout_i_of_a_seed_does_not_depend_on_the_count():
    play = random_game(3, Trump.ONES, 6)
    hands = hidden_hands(play, 200, seed=5).hands
    assert (hidden_hands(play, 20, seed=5).hands == hands[:20]).all()
    assert (hidden_hands(play, 200, seed=6).hands != hands).any()
    assert all(could_be(play, row) for row in hands.tolist())


# --- samples --------------------------------------------------------------------------------------


def test_leads_are_solved_on_the_deals_of_bid():
    sample = sample_leads(HAND, deals=12, seed=7, trumps=["fours", "doubles"])
    deals = deals_around(Hand(HAND).mask, 12, 7).tolist()
    for deal, points in zip(deals, sample.points, strict=True):
        for trump, found in zip(sample.trumps, points.tolist(), strict=True):
            leads = solve(Deal(deal), trump).leads
            assert {NAMES[t]: p for t, p in zip(sample.tiles, found, strict=True)} == leads


def test_seeing_is_what_bid_counts():
    sample = sample_leads(HAND, deals=60, seed=3, floor=30)
    hand = sample_hand(HAND, deals=60, seed=3)
    assert (sample.as_hand().points == hand.points).all()
    table = bid_table(HAND, deals=60, seed=3, plain=True)
    leads = lead_table(sample_leads(HAND, deals=60, seed=3, trumps="fours"))
    rates = leads.set_index("lead").loc[SEEING, [f"rate_{bid}" for bid in BIDS]]
    assert rates.tolist() == table.loc["fours"].tolist()


@pytest.mark.parametrize("defends", [False, True])
def test_no_lead_beats_the_free_choice(defends):
    sample = sample_leads(HAND, deals=80, seed=5, defends=defends)
    for bid in BIDS:
        won = wins(sample, bid)
        seeing = sample.seeing < bid if defends else sample.seeing >= bid
        assert (won <= seeing[:, :, None]).all()
    table = lead_table(sample_leads(HAND, deals=80, seed=5, trumps="fours", defends=defends))
    free = table.iloc[-1]
    for name in [*(f"rate_{bid}" for bid in BIDS), "mean"]:
        assert (table[name] <= free[name]).all()


def test_defenders_leading_take_what_the_others_do_not():
    ours = sample_leads(HAND, deals=10, seed=5, trumps="fives")
    theirs = sample_leads(HAND, deals=10, seed=5, trumps="fives", defends=True)
    assert (ours.points + theirs.points == 42).all()


def test_threads_and_progress_do_not_matter():
    told = []
    one = sample_leads(HAND, deals=300, seed=5, trumps="fives", threads=1)
    two = sample_leads(
        HAND, deals=300, seed=5, trumps="fives", threads=2, progress=lambda *now: told.append(now)
    )
    assert (one.points == two.points).all()
    assert told[-1] == (300, 300)
    assert (sample_leads(HAND, deals=20, seed=5, trumps="fives").points == one.points[:20]).all()


@pytest.mark.parametrize("plays", [4, 9, 14, 19])
def test_plays_are_solved_in_every_layout(plays):
    play = random_game(plays, Trump.SIXES, plays)
    sample = sample_plays(play, deals=15, seed=2)
    hidden = hidden_hands(play, 15, seed=2)
    assert sample.defends == (play.turn % 2 == 1)
    assert (sample.ways, sample.is_all) == (hidden.ways, hidden.is_all)
    for hands, points in zip(hidden.hands.tolist(), sample.points[:, 0].tolist(), strict=True):
        layout = Tricks(
            play.trump, "high", tuple(hands), play.leader, play.table, play.done, play.points
        )
        solution = solve(layout)
        assert solution.plays == {NAMES[t]: p for t, p in zip(sample.tiles, points, strict=True)}


def test_before_the_first_play_the_deals_are_those_of_the_hand():
    deal = Deal(random_deals(1, seed=1)[0].tolist())
    game = Game(deal, shaker=0, bids=["pass", "31", "pass", "pass"], trump="ones")
    sample = sample_plays(game, deals=30, seed=4)
    assert game.turn == 2
    same = sample_leads(deal.hands[2], deals=30, seed=4, trumps="ones")
    assert (sample.points == same.points).all()
    assert not sample.defends


# --- figures --------------------------------------------------------------------------------------


def test_the_table_counts_what_the_sample_holds():
    sample = sample_leads(HAND, deals=50, seed=9, trumps="fours")
    table = lead_table(sample, 34)
    assert len(table) == 8
    for row in table.iloc[:-1].to_dict("records"):
        points = sample.points[:, 0, [NAMES[t] for t in sample.tiles].index(row["lead"])]
        assert [row[f"made_{bid}"] for bid in BIDS] == [(points >= bid).sum() for bid in BIDS]
        assert row["mean"] == points.mean()
        assert row["low_34"] <= row["rate_34"] <= row["high_34"]
    rates = table["rate_34"].iloc[:-1].tolist()
    assert rates == sorted(rates, reverse=True)
    assert np.allclose(table["behind"].iloc[:-1], rates[0] - np.array(rates))
    means = table["mean"].iloc[:-1].to_numpy()
    assert np.allclose(table["points_behind"].iloc[:-1], means[0] - means)
    assert table.attrs["cross_fitted"] <= rates[0]


def test_paired_intervals_are_those_of_the_differences():
    sample = sample_leads(HAND, deals=200, seed=9, trumps="fours")
    table = lead_table(sample)
    names = [NAMES[t] for t in sample.tiles]
    best_lead, row = table.attrs["best"], table.iloc[3]
    best = sample.points[:, 0, names.index(best_lead)].astype(float)
    gap = best - sample.points[:, 0, names.index(row["lead"])]
    assert np.isclose(row["points_behind"], gap.mean())
    half = stats.t.ppf(0.975, 199) * gap.std(ddof=1) / 200**0.5
    assert np.isclose(row["points_behind_low"], gap.mean() - half, rtol=0.02)
    made = [sample.points[:, 0, names.index(lead)] >= 30 for lead in (best_lead, row["lead"])]
    assert row["behind_low"] == mean_interval(made[0] * 1.0 - made[1], -1, 1)[1]


def test_leads_alike_in_a_few_deals_are_not_said_to_be_equal():
    hand = "6-6 6-5 6-4 6-3 6-2 5-5 1-0"
    rows = lead_table(sample_leads(hand, deals=3, seed=2, trumps="sixes")).set_index("lead")
    assert rows.loc["6-5", "equal"].split()[:2] == ["6-6", "6-5"]
    assert (rows.loc["6-5", "behind"], rows.loc["6-5", "points_behind"]) == (0, 0)
    assert rows.loc["6-5", ["behind_high", "points_behind_high"]].gt(0.5).all()
    text = run("lead", hand, "--trump=sixes", "--deals=3", "--seed=2").stdout
    assert "\nThe same in each of these deals: 6-6 6-5 " in text
    assert "the same in every" not in text.lower()
    assert max(map(len, text.splitlines())) <= 80


def test_equal_leads_are_told():
    # With the six highest trumps, neighbours among them are the same tile.
    sample = sample_leads("6-6 6-5 6-4 6-3 5-5 1-0 0-0", deals=60, seed=1, trumps="sixes")
    table = lead_table(sample).set_index("lead")
    assert "6-6 6-5" in table.loc["6-6", "equal"]
    for lead, equal in table["equal"].iloc[:-1].items():
        assert lead in equal.split()
        for other in equal.split():
            assert table.loc[other, "mean"] == table.loc[lead, "mean"]


def test_all_layouts_leave_nothing_to_chance():
    play = random_game(2, Trump.TWOS, 20)
    table = lead_table(sample_plays(play, deals=5000))
    assert table.attrs["exact"]
    assert table.attrs["seed"] is None
    assert (table["low_30"] == table["rate_30"]).all()
    assert (table["mean_high"] == table["mean"]).all()


def test_cross_fitting_chooses_on_the_other_half():
    won = np.array([[1, 0], [0, 1], [1, 0], [0, 0]], dtype=bool)
    # Even deals choose tile 0, which the odd ones never win; odd ones choose tile 1, as seldom.
    assert cross_fitted(won) == 0
    assert cross_fitted(np.ones((1, 2), dtype=bool)) is None
    sample = sample_leads(HAND, deals=40, seed=2)
    fixed = fixed_leads(sample)
    assert len(fixed) == 9 * 13
    assert (fixed["fixed_made"] <= 40).all()
    for row in fixed.to_dict("records")[::17]:
        trump = sample.trumps.index(Trump(row["trump"]))
        halves = [sample.points[start::2, trump] >= row["bid"] for start in (0, 1)]
        best = [half.sum(axis=0).argmax() for half in halves]
        kept = halves[1][:, best[0]].sum() + halves[0][:, best[1]].sum()
        assert row["fixed_made"] == kept


def test_what_cannot_be_asked():
    sample = sample_leads(HAND, deals=1, seed=2)
    for asked, message in (
        (lambda: lead_table(sample), "of one trump"),
        (lambda: fixed_leads(sample), "two at least"),
        (lambda: sample_leads(HAND, deals=0), "deals 0"),
        (lambda: sample_plays(random_game(1, Trump.ONES, 28)), "the hand is over"),
        (lambda: lead_table(sample_leads(HAND, 1, trumps="ones", floor=30)), "all points"),
    ):
        with pytest.raises(RequestError, match=message):
            asked()


def test_the_chart_shows_the_figures_of_the_table():
    table = lead_table(sample_leads(HAND, deals=20, seed=2, trumps="fours"))
    ax = chart_lead(table)
    shown = [text.get_text() for text in ax.texts[: 8 * 13]]
    assert shown[0] == f"{100 * table['rate_30'].iloc[0]:.1f}"
    assert [tick.get_text() for tick in ax.get_yticklabels()] == [
        *table["lead"].iloc[:-1],
        "seeing all",
    ]


# --- the command ----------------------------------------------------------------------------------


def run(*words):
    return CliRunner().invoke(main, list(words))


def test_lead_prints_every_lead_and_the_comparison():
    done = run("lead", HAND, "--trump", "fours", "--deals", "100", "--seed", "42")
    assert done.exit_code == 0, done.output
    table = lead_table(sample_leads(HAND, deals=100, seed=42, trumps="fours"))
    for row in table.to_dict("records"):
        assert f"\n{row['lead']:7}" in done.stdout
    assert f"Behind {table.attrs['best']}, the best for making 30" in done.stdout
    assert max(map(len, done.stdout.splitlines())) <= 80
    data = json.loads(
        run("lead", HAND, "--trump=4", "--deals=100", "--seed=42", "--format=json").stdout
    )
    assert [row["made_30"] for row in data["rows"]] == table["made_30"].tolist()
    assert data["best"] == table.attrs["best"]
    text = run("lead", HAND, "--trump=4", "--deals=100", "--seed=42", "--format=csv").stdout
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [row["lead"] for row in rows] == table["lead"].tolist()


def test_defenders_set(tmp_path):
    picture = tmp_path / "x.svg"
    words = ("--trump=4", "--deals=20", "--seed=1", "--side=defend", "--chart", str(picture))
    done = run("lead", HAND, *words)
    assert "that each bid is set after each lead" in done.stdout
    assert "the best for setting 30" in done.stdout
    assert "sets each bid" in picture.read_text()


@pytest.fixture
def record(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    random = np.random.default_rng(1)
    game = Game(
        Deal(random_deals(1, 1)[0].tolist()),
        shaker=0,
        bids=["34", "pass", "pass", "pass"],
        trump="fours",
        rules=Rules(play_out=True),
    )
    for _ in range(28):
        game = game.play(int(random.choice(game.legal_plays)))
    line = format_record(game.record()) + "\n"
    (tmp_path / "x.jsonl").write_text(line)
    (tmp_path / "two.jsonl").write_text(line * 2)
    return game


@pytest.mark.parametrize("plays", [0, 7, 16, 24])
def test_a_record_is_asked_at_any_play(record, plays):
    words = ("--record=x.jsonl", f"--at={plays}", "--deals=40", "--seed=3")
    done = run("lead", *words, "--format=json")
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    game = Game(record.deal, 0, bids=record.bids, trump="fours", plays=record.plays[:plays])
    assert data["played"] == [NAMES[tile] for tile in record.plays[:plays]]
    assert data["side"] == ("declarer" if game.turn % 2 == 1 else "defenders")
    assert data["bid"] == 34
    legal = {NAMES[tile] for tile in game.legal_plays}
    assert {row["lead"] for row in data["rows"]} == {*legal, SEEING}
    assert run("lead", *words).exit_code == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--trump=4"], "HAND"),
        ([HAND], "--trump"),
        ([HAND, "--trump=4", "--at=3"], "--at goes with --record"),
        ([HAND, "--record=x.jsonl"], "--record brings its own"),
        (["--record=x.jsonl", "--side=defend"], "--record brings its own"),
        (["--record=two.jsonl", "--at=3"], "two.jsonl: 2 records; give one"),
        (["--record=x.jsonl", "--seed=1"], "the hand is over"),
        (["6-6 6-5", "--trump=4"], "a hand is 7 different tiles"),
    ],
)
def test_what_cannot_be_led_is_refused_in_one_line(record, words, message):
    done = run("lead", *words)
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_the_chart_is_drawn_again_from_json(record):
    done = run("lead", HAND, "--trump=4", "--deals=30", "--seed=1", "-o", "x.json", "--chart=a.svg")
    assert done.exit_code == 0, done.output
    assert run("chart", "lead", "x.json", "-o", "b.svg").exit_code == 0
    assert Path("a.svg").read_bytes() == Path("b.svg").read_bytes()
    assert run("chart", "review", "x.jsonl", "-o", "c.svg").exit_code == 0
    assert "What the hand was worth" in Path("c.svg").read_text()


@pytest.mark.parametrize(
    ("kind", "text", "message"),
    [
        ("lead", "{}", "not the JSON of sim42 lead: 'rows' is missing"),
        ("lead", "[]", "its parts are of other kinds"),
        ("lead", "nothing", "not the JSON of sim42 lead"),
        ("lead", None, "are not those of its counts"),
        ("review", "{}", "deal: missing"),
    ],
)
def test_damaged_files_are_refused(record, kind, text, message):
    if text is None:
        run("lead", HAND, "--trump=4", "--deals=30", "--seed=1", "-o", "x.json")
        text = Path("x.json").read_text().replace('"made_35": ', '"made_35": 1')
    Path("y.json").write_text(text)
    done = run("chart", kind, "y.json", "-o", "c.svg")
    assert done.exit_code == 2
    assert message in done.stderr
    assert len(done.stderr.splitlines()) == 1
    assert not Path("c.svg").exists()


def test_bid_shows_the_best_single_lead_beside_the_free_choice():
    words = ("bid", HAND, "--trumps=fours,doubles", "--deals=40", "--seed=42")
    free, fixed = run(*words), run(*words, "--lead=fixed")
    assert fixed.exit_code == 0, fixed.output
    assert fixed.stdout.startswith(free.stdout)
    assert max(map(len, fixed.stdout.splitlines())) <= 80
    assert "shares of the deals, to be held against" in fixed.stdout
    lines = [line for line in fixed.stdout.splitlines() if line.count(".") > 12]
    rows = [line.split()[0] for line in lines if not line.startswith(" in play")]
    assert rows == ["fours", "doubles"] * 2  # in the order of the table above
    table = fixed_leads(sample_leads(HAND, 40, 42, ["fours", "doubles"], floor=30))
    data = json.loads(run(*words, "--lead=fixed", "--format=json").stdout)
    assert [row["fixed_made"] for row in data["rows"]] == table["fixed_made"].tolist()
    assert [row["lead"] for row in data["rows"]] == table["lead"].tolist()
    assert all(row["flattered"] <= row["rate"] for row in data["rows"])
    plain = json.loads(run(*words, "--format=json").stdout)
    assert {name: data[name] for name in plain if name != "rows"} == {
        name: value for name, value in plain.items() if name != "rows"
    }
    refused = run("bid", HAND, "--deals=1", "--seed=1", "--lead=fixed")
    assert refused.exit_code == 2
    assert "--deals 2 at least" in refused.stderr


def test_what_is_known_limits_the_deals_of_leads():
    given = "has(partner, 4-4)"
    sample = sample_leads(HAND, deals=50, seed=1, trumps="fours", given=given)
    hand = sample_hand(HAND, 50, 1, [Trump.FOURS], given=given)
    assert (sample.seeing.clip(29) == hand.points).all()
    done = run("lead", HAND, "--trump=4", "--deals=50", "--seed=1", "--partner=4-4")
    assert "Given that has(partner, 4-4)." in done.stdout
    refused = run("lead", "--record=x.jsonl", "--partner=4-4", "--seed=1")
    assert refused.exit_code == 2


def test_defenders_of_an_ending_take_what_is_left_of_it():
    hands = parse_hands("6-6 6-5/5-1 5-0/6-4 4-4/3-3 3-2")
    play = Tricks(Trump.FIVES, "high", hands, 0).play(parse_tile("6-6"))
    sample = sample_plays(play, deals=500)
    assert (sample.defends, sample.is_all, sample.total) == (True, True, 22)
    means = lead_table(sample).set_index("lead")["mean"]
    for place, tile in enumerate(sample.tiles):
        assert np.isclose(means[NAMES[tile]], 22 - sample.points[:, 0, place].mean())
