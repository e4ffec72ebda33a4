"""The settings on disk: ``settings.toml``, for users to edit, and a file of remembered values.

Each read or write error is reported in one sentence. An invalid file is never overwritten, and a change keeps
the rest of the file. Values from the environment apply only to this run.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from cave import files, games
from cave.files import make_private, read_regular
from cave.game import BadData, Json
from client.settings.schema import LONGEST, SETTINGS, Day, Setting, Settings, Value
from client.system import command_as_typed, config_folder

FILE = "settings.toml"
REMEMBERED = "remembered.json"
MOST = 16 * 1024  # bytes of a settings file; all settings and keys take a quarter of it
MOST_REMEMBERED = 64 * 1024
MOST_NAMES = 100
TEXTS = ("address", "played_as", "game")
KEPT = (*TEXTS, "won", "tips", "outlooks", "levels", "lessons", "days", "puzzles")  # no game may have such a name
FORMERLY_KEPT = ("played",)  # remembered fields of earlier versions
FIRST_LINES = "# Settings of Cave. What they mean: cave settings\n\n"
FOR_NOW = "the change is for this run only"


class SettingsFile:
    """The settings of this run, and their file. ``of_games`` returns games' own settings, and is called only
    if one of them was set; ``overridden`` names the settings that the environment has set.
    """

    def __init__(
        self,
        where: Path | None = None,
        environment: Mapping[str, str] | None = None,
        of_games: Callable[[], Sequence[Setting]] = tuple,
    ) -> None:
        self._of_games = of_games
        self.folder = where or config_folder()
        self.path = self.folder / FILE
        self.problems: list[str] = []
        self.overridden: set[str] = set()
        self.is_broken = False  # then nothing is written to it; the first problem says why
        self.settings = self._read_settings()
        self._read_remembered(_read_json(self.folder / REMEMBERED))
        self._synced = self.settings  # the last known values of the file of remembered values
        self._override_by_environment(os.environ if environment is None else environment)

    # Reading

    def _read_settings(self) -> Settings:
        try:
            text = read_regular(self.path, MOST).decode()
        except (FileNotFoundError, NotADirectoryError):
            return Settings()
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "It is not UTF-8 text"
            return self._note_broken_file(f"{why or 'It cannot be read'}".rstrip("."))
        import tomllib  # not needed without such a file

        try:
            return self._check_data(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            return self._note_broken_file(str(error).rstrip("."))
        except ValueError:  # Python parses no number of thousands of digits
            return self._note_broken_file("a number in it has too many digits")
        except RecursionError:
            return self._note_broken_file("it nests too deeply")

    def _note_broken_file(self, why: str) -> Settings:
        self.is_broken = True
        self.problems.append(f"{self.path} cannot be used and is left as it is: {why[:1].lower()}{why[1:]}.")
        return Settings()

    def _check_data(self, data: Mapping[str, Any]) -> Settings:
        keys = data.get("keys", {})
        if not isinstance(keys, dict):
            self.problems.append(f"In {FILE}, keys must be a table: [keys].")
            keys = {}
        given = dict(_flatten({name: value for name, value in data.items() if name != "keys"}))
        known = {setting.name: setting for setting in SETTINGS}
        if given.keys() - known.keys():
            known |= {setting.name: setting for setting in self._of_games()}
        former = {setting.formerly for setting in known.values()}
        self.problems += [
            f"{FILE} has {name!r}, which is not a setting; {command_as_typed('settings')} lists them."
            for name in given
            if name not in known and name not in former
        ]
        settings = Settings(keys=self._check_keys(keys))
        for setting in known.values():
            name = setting.name if setting.name in given else setting.formerly
            if name in given:
                settings = self._with_parsed_setting(settings, setting, given[name], f"In {FILE}")
        return settings

    def _with_parsed_setting(self, settings: Settings, setting: Setting, given: object, where: str) -> Settings:
        try:
            return settings.with_value(setting, setting.parse(given))
        except ValueError as error:
            self.problems.append(f"{where}, {error}")
            return settings

    def _check_keys(self, keys: Mapping[str, Any]) -> dict[str, str]:
        found = {}
        for name, value in _flatten(keys):
            if isinstance(value, str) and value and value.isprintable() and len(value) <= LONGEST:
                found[name] = value
            else:
                self.problems.append(f'In {FILE}, the key of {name} must be a text such as "x" or "x,f2".')
        return found

    def _read_remembered(self, data: Mapping[str, Json]) -> None:
        texts = {name: data.get(name) for name in TEXTS}
        good = {name: text[:LONGEST] for name, text in texts.items() if isinstance(text, str) and text.isprintable()}
        outlooks, tips = (_as_table(data.get(name)) for name in ("outlooks", "tips"))
        levels, lessons, puzzles = (
            {game: word for game, word in _as_table(data.get(name)).items() if isinstance(word, str)}
            for name in ("levels", "lessons", "puzzles")
        )
        memory = {name: value for name, value in data.items() if name not in (*KEPT, *FORMERLY_KEPT)}
        self.settings = replace(
            self.settings,
            won=_as_texts(data.get("won")),
            tips={game: _as_texts(names) for game, names in tips.items()},
            memory=memory,
            outlooks=outlooks,
            levels=levels,
            lessons=lessons,
            puzzles=puzzles,
            days=_as_days(data.get("days")),
            **good,
        )

    def _override_by_environment(self, environment: Mapping[str, str]) -> None:
        settings = list(SETTINGS)
        of_games = tuple(f"CAVE_{game.upper().replace('-', '_')}_" for game in games.game_names())
        if any(name.startswith(of_games) for name in environment):
            settings += self._of_games()
        for setting in settings:
            text = environment.get(setting.variable)
            if text is None:
                continue
            before = self.settings
            where = f"In the environment ({setting.variable})"
            self.settings = self._with_parsed_setting(before, setting, text, where)
            if self.settings is not before:
                self.overridden.add(setting.name)

    # Writing

    def save(self, settings: Settings, otherwise: str = FOR_NOW) -> str:
        """Apply and save these settings; return an error that ends with ``otherwise``, or ""."""
        before, self.settings = self.settings, settings
        changed: dict[str, Value] = {
            name: value for name, value in settings.own.items() if before.own.get(name) != value
        }
        for setting in SETTINGS:
            if settings.value(setting) != before.value(setting):
                changed[setting.name] = settings.value(setting)
        keys = dict(settings.keys) if settings.keys != before.keys else None
        try:
            self._write_remembered()
            if changed or keys is not None:
                if self.is_broken:
                    return f"{self.path} is broken and left as it is; {otherwise}."
                self._write_settings(changed, keys)
        except OSError as error:
            why = files.error_reason(error, "it cannot be written")
            return f"{error.filename or self.path}: {why}; {otherwise}."
        return ""

    def recall(self) -> Settings:
        """Return the settings with the values that other terminals have saved since the last reading."""
        if now := _read_json(self.folder / REMEMBERED):
            merged = self._merge_remembered(now)
            self._read_remembered(now)
            self._synced = self.settings
            self._read_remembered(merged)
        return self.settings

    def _write_remembered(self) -> None:
        """Write the changes of this terminal: others may have changed other values."""
        from cave import codec

        if _remembered_values(self._synced) == _remembered_values(self.settings):
            return
        merged = self._merge_remembered(_read_json(self.folder / REMEMBERED))
        self._replace(REMEMBERED, codec.encode(merged) + b"\n")
        self._synced = self.settings

    def _merge_remembered(self, now: dict[str, Json]) -> dict[str, Json]:
        from cave import codec

        before, after = (codec.decode(codec.encode(_remembered_values(each))) for each in (self._synced, self.settings))
        return _merge_settings_on_disk(now, before, after) if now else after

    def _write_settings(self, changed: Mapping[str, Any], keys: Mapping[str, str] | None) -> None:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        # Read it again: the user may have edited it meanwhile.
        try:
            text = read_regular(self.path, MOST).decode()
        except FileNotFoundError:
            text = FIRST_LINES
        try:
            document = tomlkit.parse(text)
            for name, value in changed.items():
                _put_value(document, name, value)
            if keys is not None:
                document["keys"] = dict(keys)
            written = tomlkit.dumps(document).rstrip("\n") + "\n"
        except (TOMLKitError, ValueError, RecursionError) as error:
            raise OSError(0, f"it is no longer a settings file ({error})", str(self.path)) from None
        self._replace(FILE, written.encode())

    def _replace(self, name: str, content: bytes) -> None:
        make_private(self.folder)
        files.replace_file(self.folder / name, content, 0o666)


def _put_value(document: Any, name: str, value: Any) -> None:
    import tomlkit

    table, _, last = name.rpartition(".")
    if not table:
        document[last] = value
        return
    if not isinstance(document.get(table), dict):
        document[table] = tomlkit.table()
    document[table][last] = value


def _flatten(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in data.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{more}", deep) for more, deep in _flatten(value))
        else:
            yield name, value


def _read_json(path: Path) -> dict[str, Any]:
    from cave import codec

    try:
        data = codec.decode(read_regular(path, MOST_REMEMBERED))
    except (OSError, BadData):
        return {}
    return data if isinstance(data, dict) else {}


def _as_table(value: Json) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _as_texts(value: Json) -> tuple[str, ...]:
    return tuple(map(str, value[:MOST_NAMES])) if isinstance(value, list) else ()


def _as_days(value: Json) -> dict[str, Day]:
    found = {}
    for key, day in _as_table(value).items():
        with suppress(ValueError):
            date.fromisoformat(key.partition(" ")[0])
            found[key] = msgspec.convert(day, Day)
    return found


def _merge_settings_on_disk(now: dict[str, Json], before: dict[str, Json], after: dict[str, Json]) -> dict[str, Json]:
    """Return ``now`` with the changes from ``before`` to ``after``, by name and within tables."""
    found = dict(now)
    for name in {*before, *after}:
        old, new = before.get(name), after.get(name)
        if old == new:
            continue
        if isinstance(old, dict) and isinstance(new, dict):
            found[name] = _merge_settings_on_disk(_as_table(now.get(name)), old, new)
        elif name in after:
            found[name] = new
        else:
            found.pop(name, None)
    return found


def _remembered_values(settings: Settings) -> dict[str, Json]:
    return {**settings.memory, **{name: getattr(settings, name) for name in KEPT}}
