"""Bids and hand records as text: what is written is read back, and what is wrong is named."""

import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_rules import ALL_RULES

from sim42.errors import NotationError, RulesError, Sim42Error, TileError
from sim42.game.records import (
    Record,
    Result,
    format_bid,
    format_record,
    parse_bid,
    parse_record,
    read_records,
)
from sim42.game.rules import LADDER, PASS, Rules
from sim42.game.tiles import SEATS, TILES, Deal, mask_of
from sim42.game.trumps import Trump

DEALS = st.permutations(TILES).map(
    lambda tiles: Deal([mask_of(tiles[7 * seat : 7 * seat + 7]) for seat in SEATS])
)
PAIRS = st.tuples(st.integers(0, 1000), st.integers(0, 1000))
RECORDS = st.builds(
    Record,
    deal=st.none() | DEALS,
    shaker=st.none() | st.sampled_from(SEATS),
    score=PAIRS,
    rules=st.none() | ALL_RULES,
    bids=st.lists(st.sampled_from((PASS, *LADDER)), max_size=5).map(tuple),
    trump=st.none() | st.sampled_from(Trump),
    plays=st.lists(st.sampled_from(TILES), max_size=28).map(tuple),
    claim=st.booleans(),
    result=st.none() | st.builds(Result, made=st.booleans(), points=PAIRS, score=PAIRS),
)


@pytest.mark.parametrize("bid", [PASS, *LADDER])
def test_A2_every_bid_is_read_back(bid):
    assert parse_bid(format_bid(bid)) == bid


def test_bids_as_players_say_them():
    said = ("Pass", " 30 ", "1 mark", "2 marks", "2 MARKS", "5marks", "168")
    assert [parse_bid(text) for text in said] == [0, 30, 42, 84, 84, 210, 168]


@pytest.mark.parametrize(
    "text", ["", "29", "43", "030", "0", "6 marks", "0 marks", "p", "30.0", "-30", "³0", "42 marks"]
)
def test_A2_no_bids(text):
    with pytest.raises(NotationError, match="not a bid; pass, 30 to 41, or marks: 42, 84, 126"):
        parse_bid(text)


@given(record=RECORDS)
def test_records_round_trip(record):
    line = format_record(record)
    assert "\n" not in line
    assert line.isascii()
    assert parse_record(line) == record
    assert format_record(parse_record(line)) == line


@given(records=st.lists(RECORDS, max_size=5), end=st.sampled_from(["\n", "\r\n", "\n\n"]))
def test_streams_of_records(records, end):
    text = "\ufeff" + "".join(format_record(record) + end for record in records)
    for lines in (text.splitlines(keepends=True), text.encode().splitlines(keepends=True)):
        assert [record for _, record in read_records(lines)] == records


def test_an_empty_record_is_a_partial_one():
    assert parse_record("{}") == Record()


def test_rules_by_name_and_bids_as_numbers_and_in_words():
    record = parse_record('{"rules": "family", "bids": [30, "1 mark"], "trump": "5"}')
    assert record.rules is not None
    assert record.rules.max_marks == 2
    assert record.bids == (30, 42)
    assert record.trump is Trump.FIVES
    assert '"rules": "family"' in format_record(record)
    assert '"rules": {"max_marks": 2}' in format_record(Record(rules=Rules(max_marks=2)))


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("", "not a line of JSON: Expecting value at character 1"),
        ('{"shaker": 1', "not a line of JSON: Expecting ',' delimiter at character 13"),
        ('{"shaker": 1} {}', "not a line of JSON: Extra data at character 15"),
        ("[1]", 'a record is a JSON object, {"deal": ...}, not [1]'),
        ("null", "not null"),
        ('{"shaker": NaN}', "NaN: not JSON"),
        ('{"shaker": 1, "shaker": 2}', '"shaker": given twice'),
        ('{"result": {"made": true, "made": true}}', '"made": given twice'),
        ('{"Shaker": 1}', '"Shaker": no such key; keys are deal, shaker, score, rules, bids'),
        ('{"shaker": 4}', "shaker: 4 is not a whole number from 0 to 3"),
        ('{"shaker": true}', "shaker: true is not a whole number"),
        ('{"shaker": 1.0}', "shaker: 1.0 is not a whole number"),
        ('{"shaker": null}', "shaker: null is not a whole number"),
        ('{"shaker": 1%s}' % ("0" * 5000), "too many digits"),
        ("[" * 100_000, "too deeply nested"),
        ('{"deal": 5}', "deal: 5 is not text"),
        ('{"deal": "6-6 / 5-5"}', "deal: a deal is four hands with / between them, not 2"),
        ('{"deal": "6-6 / 5-5 / 4-4 / 3-3"}', "deal: seat 0: a hand is 7 different tiles"),
        ('{"bids": "pass"}', 'bids: "pass" is not a list'),
        ('{"bids": ["pass", "29"]}', 'bids: bid 2: "29": not a bid; pass, 30 to 41'),
        ('{"bids": [30.5]}', "bids: bid 1: 30.5 is not text"),
        ('{"bids": [false]}', "bids: bid 1: false is not text"),
        ('{"trump": "clubs"}', "trump: 'clubs': not a trump; one of blanks, ones"),
        ('{"trump": 5}', "trump: 5 is not text"),
        ('{"plays": ["6-4", "7-0"]}', "plays: play 2: '7-0': not a tile"),
        ('{"plays": ["6-4", ["5-5"]]}', 'plays: play 2: ["5-5"] is not text'),
        ('{"plays": ["\\ud800"]}', "plays: play 1: '\\ud800': not a tile"),
        ('{"claim": 1}', "claim: 1 is not true or false"),
        ('{"rules": "house"}', 'rules: "house" is not one of tournament, family, points250'),
        ('{"rules": {"max_marks": 9}}', "rules: max_marks: 9 is not a whole number from 1 to 6"),
        ('{"score": [1]}', "score: [1] is not two numbers"),
        ('{"score": [1, -1]}', "score: -1 is not a whole number from 0 to 1000"),
        ('{"result": {"made": true}}', "is not an object of made, points and score"),
        ('{"result": {"made": 1, "points": [42, 0], "score": [1, 0]}}', "result: made: 1 is not"),
        ('{"result": {"made": true, "points": 42, "score": [1, 0]}}', "result: points: 42 is not"),
    ],
)
def test_wrong_records_say_where_and_why_in_one_line(line, said):
    with pytest.raises((NotationError, RulesError, TileError)) as error:
        parse_record(line)
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(str(error.value)) < 250


def test_streams_name_the_line():
    lines = [b'{"shaker": 1}\r\n', b"\r\n", b'{"shaker": 9}\r\n']
    with pytest.raises(NotationError, match=r"^line 3: shaker: 9 is not"):
        list(read_records(lines))
    with pytest.raises(NotationError, match=r"^line 1: not UTF-8 text \(byte 1\)"):
        list(read_records([b'"\xff"']))


@given(
    data=st.recursive(st.none() | st.booleans() | st.integers() | st.text(), st.lists),
    key=st.text(),
)
def test_whatever_is_in_a_record_only_our_errors_come_out(data, key):
    for known in (*Record.__dataclass_fields__, key):
        with suppress(Sim42Error):
            parse_record(json.dumps({known: data}))


@given(text=st.text())
def test_whatever_the_text_only_our_errors_come_out(text):
    with suppress(Sim42Error):
        parse_record(text)
