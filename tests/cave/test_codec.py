"""The strict JSON reader: types are exact and errors name their place."""

from __future__ import annotations

from typing import Any, Literal

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cave import codec
from cave.codec import Count, JsonForm, Tagged, Whole
from cave.game import BadData


class Deep(msgspec.Struct):
    x: int = 0


class Plain(msgspec.Struct):
    deep: Deep


class Leaf(JsonForm, frozen=True):
    number: Whole = 0
    count: Count = 0
    word: str = ""
    yes: bool = False
    one_of: Literal["a", "b"] = "a"
    at: tuple[Whole, Whole] = (0, 0)
    three: tuple[Count, Count, Count] = (0, 0, 0)
    maybe: Count | None = None
    anything: Any = None
    counts: dict[str, Count] = msgspec.field(default_factory=dict)
    plain: Plain | None = None
    perhaps: Literal["a", "b"] | None = None


class Tree(JsonForm, frozen=True):
    leaf: Leaf
    leaves: tuple[Leaf, ...] = ()
    numbers: tuple[Count, ...] = ()


def read(data: Any) -> Tree:
    return codec.parse(data, Tree)


def test_valid_values_are_read() -> None:
    tree = read({"leaf": {"number": -3, "at": [1, -2], "one_of": "b", "anything": [{}]}, "leaves": [{}]})
    assert tree == Tree(Leaf(-3, at=(1, -2), one_of="b", anything=[{}]), (Leaf(),))


@pytest.mark.parametrize(
    ("data", "text"),
    [
        ({}, "leaf: is missing"),
        ([], "must be an object"),
        ({"leaf": []}, "leaf: must be an object"),
        ({"leaf": None}, "leaf: must be an object"),
        ({"leaf": {}, "bark": 1}, "bark: is not a known field"),
        ({"leaf": {"colour": 1}}, "leaf.colour: is not a known field"),
        ({"leaf": {}, "leaves": [{}, {"colour": 1}]}, "leaves[1].colour: is not a known field"),
        ({"leaf": {"a\n\x1b[31m": 1}}, "leaf.a\\n\\x1b[31m: is not a known field"),
        ({"leaf": {"a @ b": 1}}, "leaf.a @ b: is not a known field"),
        ({"leaf": {"a - at `$\x1b[31m": 1}}, "leaf.a - at `$\\x1b[31m: is not a known field"),
        ({"leaf": {"a" * 65: 1}}, f"leaf.{'a' * 63}…: is not a known field"),
        ({"leaf": {"\x1b" * 64: 1}}, "leaf." + r"\x1b" * 15 + r"\x1…: is not a known field"),
        ({"leaf": {"number": "1"}}, "leaf.number: must be a whole number"),
        ({"leaf": {"number": True}}, "leaf.number: must be a whole number"),
        ({"leaf": {"number": 1.0}}, "leaf.number: must be a whole number"),
        ({"leaf": {"number": None}}, "leaf.number: must be a whole number"),
        ({"leaf": {"number": 2**53}}, "leaf.number: is too large"),
        ({"leaf": {"number": -(2**53)}}, "leaf.number: is too large"),
        ({"leaf": {"count": -1}}, "leaf.count: must be 0 or more"),
        ({"leaf": {"maybe": -1}}, "leaf.maybe: must be 0 or more"),
        ({"leaf": {"word": 1}}, "leaf.word: must be text"),
        ({"leaf": {"yes": 1}}, "leaf.yes: must be true or false"),
        ({"leaf": {"one_of": "c"}}, "leaf.one_of: must be one of a, b"),
        ({"leaf": {"one_of": ["a"]}}, "leaf.one_of: must be one of a, b"),
        ({"leaf": {"at": [1]}}, "leaf.at: must be a place, a list of two whole numbers"),
        ({"leaf": {"at": [1, 2, 3]}}, "leaf.at: must be a place, a list of two whole numbers"),
        ({"leaf": {"at": "12"}}, "leaf.at: must be a place, a list of two whole numbers"),
        ({"leaf": {"at": [1, "2"]}}, "leaf.at[1]: must be a whole number"),
        ({"leaf": {"three": [1, 2]}}, "leaf.three: must be a list of 3"),
        ({"leaf": {"three": [1, 2, -3]}}, "leaf.three[2]: must be 0 or more"),
        ({"leaf": {"counts": {"a": -1}}}, "leaf.counts[...]: must be 0 or more"),
        ({"leaf": {"maybe": "1"}}, "leaf.maybe: must be a whole number"),
        ({"leaf": {"plain": {"deep": {"x": "1"}}}}, "leaf.plain.deep.x: must be a whole number"),
        ({"leaf": {"plain": {}}}, "leaf.plain.deep: is missing"),
        ({"leaf": {"perhaps": "c"}}, "leaf.perhaps: must be one of a, b"),
        ({"leaf": {}, "leaves": {}}, "leaves: must be a list"),
        ({"leaf": {}, "leaves": ""}, "leaves: must be a list"),
        ({"leaf": {}, "numbers": [0, -1]}, "numbers[1]: must be 0 or more"),
    ],
)
def test_invalid_values_are_named(data: Any, text: str) -> None:
    with pytest.raises(BadData) as caught:
        read(data)
    assert str(caught.value) == text


@given(st.text())
def test_field_names_are_escaped_for_the_terminal(name: str) -> None:
    with pytest.raises(BadData) as caught:
        read({"leaf": {}, f" - at `${name}": 1})
    assert str(caught.value).isprintable()


def test_the_largest_whole_number_is_read() -> None:
    assert read({"leaf": {"number": 2**53 - 1}}).leaf.number == 2**53 - 1


@pytest.mark.parametrize(
    "text", [b"", b"{", b"nonsense", b"[1,]", b"\xff\xfe", b'"\xed\xa0\x80"', b"NaN", b"[" * 100_000, b'"\\ud800"', "{"]
)
def test_invalid_json_is_refused(text: bytes | str) -> None:
    with pytest.raises(BadData) as caught:
        codec.decode(text)
    assert "\n" not in str(caught.value)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(JSON)
def test_json_survives_a_round_trip(data: Any) -> None:
    assert codec.decode(codec.encode(data)) == data
    assert codec.decode(codec.canonical_json(data)) == data


@given(st.dictionaries(st.text(), JSON, max_size=5))
def test_canonical_bytes_do_not_depend_on_the_order(data: dict[str, Any]) -> None:
    assert codec.canonical_json(dict(reversed(data.items()))) == codec.canonical_json(data)


@given(JSON)
def test_reading_any_text_returns_a_value_or_raises_bad_data(data: Any) -> None:
    found: BadData | Tree
    try:
        found = read({"leaf": data, "leaves": [data]})
    except BadData as error:
        found = error
    assert isinstance(found, Tree) or found.field.startswith(("leaf", "leaves"))


def test_a_problem_under_a_prefix() -> None:
    assert BadData("x", "no").under("start").field == "start.x"
    assert BadData("[0].x", "no").under("steps").field == "steps[0].x"
    assert BadData("", "no").under("start").field == "start"


@pytest.mark.parametrize(
    ("field", "problem", "sentence"),
    [
        ("key", "is not a client's key", '"key" is not a client\'s key'),
        ("seats[0].kind", "must be text", '"seats[0].kind" must be text'),
        ("start.board", "there is no tile at [3, 3]", 'in "start.board" there is no tile at [3, 3]'),
        ("", "is not an object", "is not an object"),
    ],
)
def test_a_problem_reads_as_a_sentence_with_its_field(field: str, problem: str, sentence: str) -> None:
    assert BadData(field, problem).sentence == sentence


class Handed(Tagged, frozen=True, rename={"giver": "from"}):
    giver: Count


def test_a_field_may_have_another_name_in_its_public_form() -> None:
    """For example one that is a Python keyword."""
    assert codec.to_json(Handed(3)) == {"type": "handed", "from": 3}
    assert codec.parse_typed({"type": "handed", "from": 3}, [Handed]) == Handed(3)
    with pytest.raises(BadData, match="giver: is not a known field"):
        codec.parse_typed({"type": "handed", "giver": 3}, [Handed])
    with pytest.raises(BadData, match="from: must be 0 or more"):
        codec.parse_typed({"type": "handed", "from": -1}, [Handed])
