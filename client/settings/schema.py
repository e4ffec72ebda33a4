"""The settings: one schema for file, environment, help and screen; a game's own are in its face."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from cave.game import Json
from cave.wire import MAX_NAME, one_line
from client.settings.appearance import OWN_THEMES, THEMES
from client.system import command_as_typed
from client.wording import name_problem

Glyphs = Literal["auto", "fine", "unicode", "ascii"]
Value = str | bool
LONGEST = 200  # characters of a text
TABLES = 20  # tables whose outlook is saved
DAYS = 400  # caves of the day that are saved
FEW = 7  # most choices in the message about an invalid value: for themes only our own and the terminal's


class Setting(msgspec.Struct, frozen=True):
    """A setting: its name in the file, its purpose, and its values.

    ``choices`` has the word of each value, in the order on the screen. Without choices it is a text of at
    most ``longest`` characters; it may be empty, and ``problem`` returns an error sentence or nothing.
    ``group`` is its heading on the settings screen, ``title`` its label. Settings that start programs are not
    ``on_screen``: the user may be a stranger, as with ``cave serve``.

    A game's setting is called ``GAME.NAME``; its default is ``usual``, its name in earlier versions
    ``formerly``.
    """

    name: str
    group: str
    title: str
    about: str
    choices: Mapping[Value, str]
    usual: Value | None = None
    formerly: str = ""
    longest: int = LONGEST
    problem: Callable[[str], str] = lambda _: ""
    on_screen: bool = True

    @property
    def field(self) -> str:
        """Its name as an identifier: the attribute of ``Settings``, unless it is a game's own."""
        return self.name.replace(".", "_").replace("-", "_")

    @property
    def default(self) -> Value:
        return Settings().value(self)

    @property
    def variable(self) -> str:
        return f"CAVE_{self.field.upper()}"

    @property
    def allowed_words(self) -> str:
        return ", ".join(word_of(value) for value in self.choices) if self.choices else "text"

    def parse(self, given: object) -> Value:
        """Return the parsed value. Raises ValueError with a sentence that lists the choices."""
        value = given
        if self.choices:
            if isinstance(given, str):
                words = {word_of(value).lower(): value for value in self.choices}
                if True in self.choices:
                    words |= {"true": True, "yes": True, "false": False, "no": False}
                value = words.get(given.strip().lower(), given)
            # A number is not a switch: True == 1.
            if isinstance(value, str | bool) and value in self.choices:
                return value
            few = [word_of(value) for value in self.choices][:FEW]
            more = f" or another that {command_as_typed('settings')} lists" if len(self.choices) > FEW else ""
            may_be = f"{', '.join(few)}{more}"
        else:
            if isinstance(value, str) and len(value) <= self.longest and one_line(value) == value:
                if wrong := value and self.problem(value):
                    raise ValueError(f"{self.name} cannot be {_value_words(value)}. {wrong}")
                return value
            may_be = f"one line of text, of {self.longest} characters at most"
        raise ValueError(f"{self.name} cannot be {_value_words(value)}; it may be {may_be}.")


def word_of(value: Value) -> str:
    return value if isinstance(value, str) else "on" if value else "off"


def _value_words(value: object) -> str:
    if isinstance(value, int) and value.bit_length() > LONGEST:
        return "that number"  # Python prints no number of thousands of digits
    if isinstance(value, str | bool | int | float):
        text = str(value).lower() if isinstance(value, bool) else str(value)
        return f'"{text[:40]}"' if text.isprintable() else "that text"
    return "a list" if isinstance(value, list) else "a table" if isinstance(value, dict) else "that"


YES_NO: Mapping[Value, str] = {True: "yes", False: "no"}


class Day(msgspec.Struct, frozen=True, omit_defaults=True):
    """Saved data of a cave of the day: the table of the attempt that counts, whether it was started (an
    untouched game is not saved), and the guide's points.
    """

    table: str = ""
    begun: bool = False
    par: float | None = None


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """A user's choices (``SETTINGS``), and values saved from game to game.

    ``own`` has games' settings by name, ``keys`` keys by ids of bindings; ``address`` was last visited,
    ``game`` opened last by "Play now", and ``played_as`` is the name in the first game. By game: the
    ``levels`` of bots, the ``tips`` followed, the next step of ``lessons``, and ``memory``
    (``Face.remembered``). ``outlooks`` have cursor, zoom and the last chat line read, by ids of the last
    tables; ``puzzles`` those tried, solved or shown; ``days`` the table and the par of the caves of the day.
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
    tutor: Literal["first", "always", "off"] = "first"
    bell: Literal["never", "away", "always"] = "away"
    sound: Literal["off", "bell", "command"] = "off"
    sound_command: str = ""
    notify: Literal["off", "osc9", "osc777", "command"] = "off"
    chat: Literal["auto", "on", "off"] = "off"
    pace: Literal["slow", "usual", "none"] = "usual"
    own: Mapping[str, Value] = msgspec.field(default_factory=dict)
    keys: Mapping[str, str] = msgspec.field(default_factory=dict)
    address: str = ""
    played_as: str = ""
    game: str = ""
    levels: Mapping[str, str] = msgspec.field(default_factory=dict)
    won: tuple[str, ...] = ()
    tips: Mapping[str, Sequence[str]] = msgspec.field(default_factory=dict)
    lessons: Mapping[str, str] = msgspec.field(default_factory=dict)
    memory: Mapping[str, Json] = msgspec.field(default_factory=dict)
    outlooks: Mapping[str, Json] = msgspec.field(default_factory=dict)
    days: Mapping[str, Day] = msgspec.field(default_factory=dict)
    puzzles: Mapping[str, str] = msgspec.field(default_factory=dict)

    def shows_guide(self, game: str) -> bool:
        """Return whether this game shows its goal and the tutor warns: until the user has won it."""
        return self.guide and game not in self.won

    def tutors(self, game: str) -> bool:
        return self.tutor == "always" or (self.tutor == "first" and self.shows_guide(game))

    def value(self, setting: Setting) -> Value:
        value: Value
        value = getattr(self, setting.field) if setting.usual is None else self.own.get(setting.name, setting.usual)
        return value

    def with_value(self, setting: Setting, value: Value) -> Settings:
        if setting.usual is None:
            changes: dict[str, Any] = {setting.field: value}
            return replace(self, **changes)
        return replace(self, own={**self.own, setting.name: value})

    @property
    def person_name(self) -> str:
        """The user's name: the chosen one, else that of the first game."""
        return self.name or self.played_as

    @property
    def daily_pars(self) -> dict[str, float | None]:
        """The guide's points in caves of the day, by their keys; None if unknown."""
        return {key: day.par for key, day in self.days.items()}

    def with_name_played(self, names: Sequence[str]) -> str:
        """Return ``played_as`` after a game under these names: once set, it stays."""
        return self.played_as or next(iter(names), "")


SETTINGS = (  # in the order of the settings screen
    Setting("name", "You", "Your name", "The name the others see.", {}, longest=MAX_NAME, problem=name_problem),
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
        "The map as lit rock or ink on paper, in 256 colours or more; without light far less is sent.",
        {"auto": "on fast lines", **YES_NO},
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
        {"auto": "on fast lines", "on": "on", "off": "off"},
    ),
    Setting(
        "motion",
        "Looks",
        "Movement",
        "Water, light and changes move a little after a key; calm leaves out most. Not over slow lines.",
        {"full": "full", "calm": "calm", "off": "off"},
    ),
    Setting(
        "follow",
        "Playing",
        "Follow the others",
        "Whether the map shows where others play their turns; F changes it.",
        {"never": "never", "watching": "when watching", "always": "when waiting, too"},
    ),
    Setting("guide", "Playing", "Tips", "Tips that explain each thing until you have done it.", YES_NO),
    Setting(
        "tutor",
        "Playing",
        "Tutor",
        "Warns before a move that loses much, and says why; with tips: as long as those are on.",
        {"first": "with tips", "always": "always", "off": "off"},
    ),
    Setting(
        "bell",
        "Playing",
        "Bell",
        "A bell and a mark in the window's title when it is your turn.",
        {"never": "never", "away": "when I am elsewhere", "always": "always"},
    ),
    Setting(
        "sound",
        "Playing",
        "Sounds",
        "Bells for a roll, a find and the end, or a command: the sound_command of the settings file.",
        {"off": "only the bell", "bell": "bells", "command": "my command"},
    ),
    Setting(
        "sound_command",
        "Playing",
        "Command for sounds",
        "A program that gets the word turn, die, find or end after its arguments, such as play-sound.",
        {},
        on_screen=False,
    ),
    Setting(
        "notify",
        "Playing",
        "Notification",
        "At your turn, while you are elsewhere: by the terminal (OSC 9 or 777), or by the sound_command.",
        {"off": "none", "osc9": "of OSC 9", "osc777": "of OSC 777", "command": "my command"},
    ),
    Setting(
        "chat",
        "Playing",
        "Chat at the table",
        "Show chat beside the log or under the map; else a mark shows unread messages. t opens it.",
        {"off": "only a mark", "on": "always", "auto": "unless several play here"},
    ),
    Setting(
        "pace",
        "Playing",
        "Bots' pace",
        "How long bots wait before they act, at tables that you open from now on.",
        {"usual": "as people play", "slow": "slowly", "none": "without pause"},
    ),
)


def question(name: str, game: str, title: str, about: str, *, asked: bool = True, formerly: str = "") -> Setting:
    """Return a game's setting that turns a confirmation on or off."""
    return Setting(name, f"{game} asks first", title, about, YES_NO, usual=asked, formerly=formerly)


class Preferences:
    """The settings of this run: ``now`` is the newest; the environment set the ``fixed`` ones."""

    def __init__(
        self,
        settings: Settings | None = None,
        save: Callable[[Settings], str] = lambda _: "",
        recall: Callable[[], Settings] | None = None,
        *,
        fixed: Collection[str] = (),
        problems: Sequence[str] = (),
    ) -> None:
        self.now = settings or Settings()
        self.fixed = fixed
        self.problems = tuple(problems)
        self._save = save
        self._recall = recall

    def recall(self) -> None:
        """Load the values that other terminals have saved since."""
        if self._recall is not None:
            self.now = self._recall()

    def change(self, **changes: Any) -> str:
        """Apply and save other values (by attribute); return why saving failed, or nothing."""
        self.now = replace(self.now, **changes)
        return self._save(self.now)

    def switch_guide(self, game: str, *, wanted: bool) -> str:
        """Switch a game's tips on or off; return why saving failed, or nothing."""
        if not wanted:
            return self.change(guide=False)
        won = tuple(name for name in self.now.won if name != game)
        return self.change(guide=True, won=won, tips={**self.now.tips, game: ()})

    def note_win(self, game: str) -> None:
        if game not in self.now.won:
            self.change(won=(*self.now.won, game))

    def note_tips_done(self, game: str, tips: Collection[str]) -> None:
        if tips:
            known = self.now.tips.get(game, ())
            self.change(tips={**self.now.tips, game: (*known, *sorted(tips))})

    def keep_outlook(self, table: str, outlook: Mapping[str, Json]) -> None:
        others = dict(self.now.outlooks)
        kept = others.pop(table, None)
        merged = {**kept, **outlook} if isinstance(kept, dict) else outlook
        self.change(outlooks=dict([*others.items(), (table, merged)][-TABLES:]))

    def keep_daily_cave(self, key: str, **changes: Any) -> None:
        """Change the data of a cave of the day; only the last ones are kept."""
        days = {**self.now.days, key: replace(self.now.days.get(key, Day()), **changes)}
        self.change(days=dict(sorted(days.items())[-DAYS:]))

    def set(self, setting: Setting, value: Value) -> str:
        """Apply and save another value of a setting; return why saving failed, or nothing."""
        self.now = self.now.with_value(setting, value)
        return self._save(self.now)


def setting_rows(settings: Iterable[Setting]) -> list[tuple[str, str]]:
    rows = []
    for setting in settings:
        allowed = f"auto, {', '.join(OWN_THEMES)}, ..." if setting.name == "theme" else setting.allowed_words
        rows.append((setting.name, f"{setting.about} ({allowed})"))
    return rows
