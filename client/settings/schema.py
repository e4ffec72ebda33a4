"""The settings: one schema for the file, the environment, the command line's help and the screen."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from cave.game import Json
from cave.wire import harmless
from client.program import typed
from client.settings.appearance import OWN_THEMES, THEMES

Glyphs = Literal["auto", "fine", "unicode", "ascii"]
Value = str | bool
LONGEST = 200
"""Characters that a text may have."""
FEW = 7
"""Choices that a sentence about a wrong one names: for the themes our own and the terminal's."""


class Setting(msgspec.Struct, frozen=True):
    """What is known of a setting: its name in the file, what it is for, and what it may be.

    ``choices`` gives the word of each value, in the order in which they are offered; with none it is a
    text. ``group`` is the head it stands under on the settings screen, ``title`` what it is called there.
    """

    name: str
    group: str
    title: str
    about: str
    choices: Mapping[Value, str]

    @property
    def field(self) -> str:
        """The attribute of ``Settings`` that holds it."""
        return self.name.replace(".", "_")

    @property
    def default(self) -> Value:
        """The value that it has at first."""
        return value_of(Settings(), self)

    @property
    def variable(self) -> str:
        """The environment variable that overrides it."""
        return f"CAVE_{self.field.upper()}"

    @property
    def allowed(self) -> str:
        """What it may be, for a person."""
        return ", ".join(word_of(value) for value in self.choices) if self.choices else "text"

    @property
    def _told(self) -> str:
        """The same for a sentence about another value."""
        if not self.choices:
            return f"one line of text, of {LONGEST} characters at most"
        few = [word_of(value) for value in self.choices][:FEW]
        return ", ".join(few) + (
            f" or another that {typed('settings')} lists" if len(self.choices) > FEW else ""
        )

    def read(self, value: object) -> Value:
        """The value, if it is one that this setting may have.

        Raises:
            ValueError: It is not; the text is a sentence that says what it may be.

        """
        if self.choices:
            # A number is no switch: True == 1.
            if isinstance(value, str | bool) and value in self.choices:
                return value
        elif isinstance(value, str) and len(value) <= LONGEST and harmless(value) == value:
            return value
        raise ValueError(f"{self.name} cannot be {_shown(value)}; it may be {self._told}.")

    def parse(self, text: str) -> Value:
        """The value that a text from the environment or the command line means; raises as ``read``."""
        words = {word_of(value).lower(): value for value in self.choices}
        if True in self.choices:
            words |= {"true": True, "yes": True, "false": False, "no": False}
        return self.read(words.get(text.strip().lower(), text) if self.choices else text)


def word_of(value: Value) -> str:
    """How a value is written in the environment and in lists."""
    return value if isinstance(value, str) else "on" if value else "off"


def _shown(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return "that number"  # Python writes none of thousands of digits.
    if isinstance(value, str | bool | int | float):
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return f'"{text[:40]}"' if text.isprintable() else "that text"
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else "that"


YES_NO: Mapping[Value, str] = {True: "yes", False: "no"}


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has chosen (``SETTINGS``), and what is only remembered from game to game.

    ``keys`` maps ids of key bindings to keys, ``last_pack`` is a pack action or None before the first
    one, ``address`` the host that was visited last, ``played_as`` the name of the first game.
    """

    name: str = ""
    theme: str = "auto"
    glyphs: Glyphs = "auto"
    light: Literal["auto"] | bool = "auto"
    zoom: Literal["L", "M", "S"] = "L"
    animations: Literal["auto", "on", "off"] = "auto"
    motion: Literal["off", "calm", "full"] = "full"
    follow: Literal["never", "watching", "always"] = "never"
    guide: bool = True
    bell: Literal["never", "away", "always"] = "away"
    chat: Literal["auto", "on", "off"] = "auto"
    confirm_place: bool = False
    confirm_end_turn: bool = True
    confirm_walk: bool = True
    confirm_force: bool = True
    confirm_abandon: bool = True
    keys: Mapping[str, str] = msgspec.field(default_factory=dict)
    address: str = ""
    last_pack: Json = None
    played_as: str = ""

    @property
    def called(self) -> str:
        """The person's name: the one that was chosen, else that of the first game."""
        return self.name or self.played_as

    def playing_as(self, names: Sequence[str]) -> str:
        """What ``played_as`` is after a game under these names: the first one stays, whoever plays."""
        return self.played_as or next(iter(names), "")


SETTINGS = (
    Setting("name", "You", "Your name", "The name the others see.", {}),
    Setting(
        "theme",
        "Looks",
        "Colours",
        "The colours; terminals with 16 colours or none use their own.",
        {"auto": "automatic", **{name: name for name in THEMES if name != "auto"}},
    ),
    Setting(
        "glyphs",
        "Looks",
        "Signs",
        "The characters for the map; changes with the next game.",
        {"auto": "automatic", "fine": "fine", "unicode": "unicode", "ascii": "ascii only"},
    ),
    Setting(
        "light",
        "Looks",
        "Light on the map",
        "The cave as lit rock or ink on paper, in 256 colours or more; without light far less is sent.",
        {"auto": "not over ssh", **YES_NO},
    ),
    Setting(
        "zoom",
        "Looks",
        "Map at the start",
        "The size of the map when a game opens; z changes it at any time.",
        {"L": "large", "M": "medium", "S": "small"},
    ),
    Setting(
        "animations",
        "Looks",
        "Animations",
        "Smooth scrolling of lists and other small effects.",
        {"auto": "not over ssh", "on": "on", "off": "off"},
    ),
    Setting(
        "motion",
        "Looks",
        "Movement",
        "Water, light and a new tile move a little after a key; calm leaves out most. Not over ssh.",
        {"full": "full", "calm": "calm", "off": "off"},
    ),
    Setting(
        "follow",
        "Playing",
        "Follow the others",
        "Whether the map shows where others play their turns; F changes it.",
        {"never": "never", "watching": "when watching", "always": "when waiting, too"},
    ),
    Setting("guide", "Playing", "Tips", "Tips that explain things in a first game.", YES_NO),
    Setting(
        "bell",
        "Playing",
        "Bell",
        "A bell and a mark in the window's title when it is your turn.",
        {"never": "never", "away": "when I am elsewhere", "always": "always"},
    ),
    Setting(
        "chat",
        "Playing",
        "Chat under the map",
        "Whether chat appears under the map at once; t shows all of it.",
        {"auto": "unless several play here", "on": "always", "off": "never"},
    ),
    Setting("confirm.place", "Ask first", "Placing a tile", "Ask before a tile is placed for good.", YES_NO),
    Setting(
        "confirm.end_turn",
        "Ask first",
        "Ending the turn",
        "Ask before a turn ends with action points you can use.",
        YES_NO,
    ),
    Setting(
        "confirm.walk",
        "Ask first",
        "Going far",
        "Ask before a walk of several turns, or to where you cannot get home from.",
        YES_NO,
    ),
    Setting(
        "confirm.force",
        "Ask first",
        "Forcing a passage",
        "Ask before a forced move takes all 5 action points.",
        YES_NO,
    ),
    Setting(
        "confirm.abandon",
        "Ask first",
        "Abandoning the camp",
        "Ask before the camp is abandoned for good.",
        YES_NO,
    ),
)
"""The schema, in the order of the settings screen."""
BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


class Preferences:
    """The settings of this run as the screens see them: ``now`` is always the newest.

    ``fixed`` names those that the environment has set; ``problems`` are sentences about the file.
    """

    def __init__(
        self,
        settings: Settings | None = None,
        save: Callable[[Settings], str] = lambda _: "",
        *,
        fixed: Collection[str] = (),
        problems: Sequence[str] = (),
    ) -> None:
        self.now = settings or Settings()
        self.fixed = fixed
        self.problems = tuple(problems)
        self._save = save

    def change(self, **changes: Any) -> str:
        """Use and keep other values (by attribute); why they could not be kept, or nothing."""
        self.now = replace(self.now, **changes)
        return self._save(self.now)


def value_of(settings: Settings, setting: Setting) -> Value:
    """The value that a setting has."""
    value: Value = getattr(settings, setting.field)
    return value


def help_rows() -> list[tuple[str, str]]:
    """The settings for the command line's help: name, and what it is for."""
    rows = []
    for setting in SETTINGS:
        allowed = f"auto, {', '.join(OWN_THEMES)}, ..." if setting.name == "theme" else setting.allowed
        rows.append((setting.name, f"{setting.about} ({allowed})"))
    return rows


def json_schema() -> Json:
    """The settings file as JSON Schema (2020-12), for editors and tests."""
    tables: dict[str, Any] = {}
    top: dict[str, Any] = {}
    for setting in SETTINGS:
        values = list(setting.choices)
        kind: dict[str, Any] = {"type": "boolean" if isinstance(setting.default, bool) else "string"}
        if values and kind["type"] == "string":
            kind["enum"] = values
        elif not values:
            kind["maxLength"] = LONGEST
        table, _, name = setting.name.rpartition(".")
        entry = {"description": setting.about, **kind, "default": setting.default}
        (tables.setdefault(table, {}) if table else top)[name] = entry
    for table, entries in tables.items():
        top[table] = {"type": "object", "properties": entries, "additionalProperties": False}
    top["keys"] = {
        "description": "Your own keys, by the id of a binding; cave settings --keys lists the ids.",
        "type": "object",
        "additionalProperties": {"type": "string"},
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Settings of Cave",
        "type": "object",
        "properties": top,
        "additionalProperties": False,
    }


# Folders
