"""Sentences shared by all games: lines of the log, the seats, points, the rules."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from cave.game import AnyGame
from cave.glossary import explain, find_word, load_glossary
from client.face import LETTERS, Face, LogEntry
from client.present import help_pages, log, score
from client.present.log import of_watchers
from client.system import command_as_typed
from client.table import ChatLine, LogLine, TableState
from client.wording import a_bot, count

NOT_YOURS = "It is not your turn. You can look around; type help to see how."
WATCHING = "You are watching; type help to see what you can ask."
NOTHING_TAKEN = "No other terminal has taken over your seat."
NOT_BEGUN = "The game has not begun."
BEGINS = "The game begins."
OVER = "The game is over."
WAITING = "The game has not begun; it begins when all seats are taken."
OLD_NUMBERS = "These numbers are out of date; type moves for new ones."
NO_NUMBERS = "There is no list to choose from; type moves to get one."
NOT_TOLD = "{number} is {words}. To do that, type {number} again."
NOT_NOW = "You cannot do that now; type moves for all that you can do."
NOTHING_TO_UNDO = "Nothing to undo: you cannot undo what has been revealed or a turn that has ended."
ONE_NUMBER = "Type one number of the list, and nothing after it."
SAVED = f"Every action is saved at once. Type quit to leave. To continue later, type: {command_as_typed('resume')}"
RECORDED = f"The game is over. To find its record, type after quit: {command_as_typed('replay --list')}"
KEPT = f"The game is not over. To continue, type: {command_as_typed('resume')}"
HOW_TO_LEAVE = "Type quit to leave."
HOW_TO_GO_ON = "Type rematch to play again, or quit to leave."
NEXT_GAME = "Type rematch for the next game, or quit to leave."
NOT_OVER = "You can have a rematch when the game is over."
NO_REMATCH = "No player has asked for a rematch."
HOW_TO_CHAT = "Say something: chat hello."
HOST_GONE = "The host does not answer."
NO_SIGNS = "The board of this game has no signs of its own."
NO_WORDS = "This game explains no words; type rules."
NO_GOAL = "The rules say what wins and what loses: type rules."
ALONE = "That is secret. Is {owner} alone at the screen?"
COVERED_LATER = "The screen is cleared before the next player's turn."
CLEARED = "The screen was cleared: it showed something secret. Type since to see what happened."
HOW_MANY_LINES = "Type how many lines, such as log 3."
NOBODY_TALKS = "The watchers have not said anything yet."
Tell = Callable[[LogEntry], str]


def as_sentence(text: str, *, capital: bool = True) -> str:
    if capital:
        text = text[:1].upper() + text[1:]
    return text if text.endswith((".", "!", "?")) else f"{text}."


def log_line_words(entry: LogEntry) -> str:
    """Return a line of the log. A name keeps its owner's spelling, also at the start."""
    return as_sentence(entry.sentence, capital=not entry.actor)


def history_lines(face: Face, tell: Tell, lines: Sequence[LogLine], view: Any, last: int | None = None) -> list[str]:
    return [tell(entry) for entry in log.entries(face.log_line, lines, view, last=last)]


def chat_words(line: ChatLine) -> str:
    return f"{line.name}{' (watching)' if line.watcher else ''} says: {line.text}"


def watcher_lines(state: TableState) -> list[str]:
    return [chat_words(line) for line in of_watchers(state.chat)] or [NOBODY_TALKS]


def seat_lines(state: TableState) -> list[str]:
    lines = []
    for number, seat in enumerate(state.seats):
        who = seat.known_name or seat.kept or "open seat"
        free = "expected" if seat.kept else "free seat" if seat.known_name else "nobody yet"
        kind = "you" if seat.mine else {"open": free, "bot": "bot", "person": "elsewhere"}[seat.kind]
        away = "" if seat.present or seat.kind == "open" else ", away"
        handed = f"; {a_bot(seat.level)} plays to the end" if seat.handed else ""
        lines.append(f"{LETTERS[number]} {who}: {kind}{away}{handed}.")
    return [*lines, f"{state.watchers} watching."] if state.watchers else lines


def score_sheet_lines(face: Face, view: Any, *, over: bool, resigned: str = "") -> list[str]:
    """Return the score sheet line by line, as if over now; ``resigned`` is the sentence of that end."""
    names = view.names
    words = face.sheet_of(view)
    made = score.score_sheet(words, view.standing, names, resigned=resigned)
    lines = [made.headline if over else words.so_far]
    for row in made.rows:
        cells = [
            f"{name} {score.points_as_shown(cell.points)}"
            + (f" ({count(cell.tokens, 'token')})" if cell.tokens else "")
            + (f" and bonus {cell.bonus:g}" if cell.bonus else "")
            for name, cell in zip(names, row.cells, strict=True)
        ]
        lines.append(f"{row.name}: {', '.join(cells)}.")
    notes = made.notes if over else ("",) * len(names)
    totals = [
        f"{name} {score.points_as_shown(total)}" + (f", {note}" if note else "")
        for name, total, note in zip(names, made.totals, notes, strict=True)
    ]
    lines.append(f"Total: {'; '.join(totals)}.")
    remark = score.POINTS_SO_FAR if resigned else face.remark(view.standing, names) if over else ""
    return [*lines, remark] if remark else lines


def rules_lines(game: AnyGame, rest: str, example: str) -> list[str]:
    chapters = help_pages.rule_chapters(game)
    number = rest.removeprefix("rule ")
    found = help_pages.rule_lines(game, number) if number else chapters
    known = f"Type a chapter from 1 to {len(chapters)}, or a rule such as {example}."
    return list(found) or [f"There is no rule {number[:20]}. {known}"]


def legend(face: Face) -> list[str]:
    """Return the signs of the board, as on an ASCII terminal, and their meanings."""
    found: dict[str, str] = {}
    for rows, words in face.legend():
        text = " ".join("".join(text for text, *_ in row) for row in rows)
        found.setdefault(" ".join(text.split()), words)  # merges entries that differ only in colour
    return [f"{sign}: {words}" for sign, words in found.items() if sign] or [NO_SIGNS]


def word_lines(game: AnyGame, typed: str) -> list[str]:
    """Return the meaning of a word of the rules, or of all words."""
    names = list(load_glossary(game))
    if not typed:
        return [f"Type word and one of these: {', '.join(names)}."] if names else [NO_WORDS]
    name = find_word(game, typed) or next((each for each in names if each.startswith(typed)), "")
    return [explain(game, name) if name else f"There is no word {typed[:20]}. Type word for all of them."]
