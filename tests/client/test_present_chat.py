"""Which chat lines are new."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from client.present.log import chat_for, new_chat_lines
from client.table import ChatLine
from tests.client.fake_session import FakeSession

LINES = st.lists(st.builds(ChatLine, st.sampled_from(["Ann", "Bea"]), st.text(max_size=3)), max_size=8)


@given(LINES, LINES)
def test_messages_since_the_last_look_are_news(before: list[ChatLine], said: list[ChatLine]):
    # Repeated equal lines may look old if the first ones are cut off, but only then.
    assert list(new_chat_lines(before, [*before, *said])) == said


@given(LINES, LINES)
def test_only_the_last_lines_of_a_chat_are_kept(before: list[ChatLine], said: list[ChatLine]):
    numbered = [ChatLine(line.name, f"{number} {line.text}") for number, line in enumerate(before + said)]
    old, new = numbered[: len(before)], numbered[len(before) :]
    assert list(new_chat_lines(old[-4:], numbered[-4:])) == new[-4:]


def test_players_read_each_other_and_watchers_read_all():
    said = (ChatLine("Ann", "hi"), ChatLine("Eve", "go north", watcher=True))
    for mine, lines in (((0,), said[:1]), ((), said)):
        session = FakeSession(mine=mine)
        session.evolve(chat=said)
        assert tuple(chat_for(session.state)) == lines
