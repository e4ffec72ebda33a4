"""The settings on disk: ``settings.toml``, which a person may edit, and what is only remembered.

Nothing here stops a game: what cannot be read or written is told in one sentence each. A file that
is no TOML is never written over, and a change keeps all else in the file, comments, too. What the
environment overrides is used for this run only.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from cave.files import make_private, read_small
from cave.game import BadData, Json
from client.program import typed
from client.settings.folders import folder
from client.settings.schema import BY_NAME, LONGEST, SETTINGS, Settings, value_of

FILE = "settings.toml"
REMEMBERED = "remembered.json"
MOST = 16 * 1024
"""Bytes of a settings file; all settings and keys take a quarter of it."""
MOST_REMEMBERED = 64 * 1024
FIRST_LINES = "# Settings of Cave. What they mean: cave settings\n\n"
FOR_NOW = "the change is for this run only"


class SettingsFile:
    """The settings of this run, and their file.

    ``problems`` are sentences about what could not be used; ``overridden`` names the settings that the
    environment has set.
    """

    def __init__(self, where: Path | None = None, environment: Mapping[str, str] | None = None) -> None:
        self.folder = where or folder()
        self.path = self.folder / FILE
        self.problems: list[str] = []
        self.overridden: set[str] = set()
        self._writable = True
        values = self._from_file()
        values |= self._remembered()
        values |= self._from(os.environ if environment is None else environment)
        self.settings = Settings(**values)

    # Reading

    def _from_file(self) -> dict[str, Any]:
        try:
            text = read_small(self.path, MOST).decode()
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, UnicodeDecodeError) as error:
            why = error.strerror if isinstance(error, OSError) else "It is not UTF-8 text"
            return self._broken(f"{why or 'It cannot be read'}".rstrip("."))
        import tomllib  # Where there is no such file, the start need not wait for it.

        try:
            return self._checked(tomllib.loads(text))
        except tomllib.TOMLDecodeError as error:
            return self._broken(str(error).rstrip("."))
        except ValueError:  # Python reads no number of thousands of digits.
            return self._broken("a number in it has too many digits")
        except RecursionError:
            return self._broken("it nests too deeply")

    def _broken(self, why: str) -> dict[str, Any]:
        self._writable = False
        self.problems.append(f"{self.path} cannot be used and is left as it is: {why[:1].lower()}{why[1:]}.")
        return {}

    def _checked(self, data: Mapping[str, Any]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        for name, value in _flat(data):
            if name == "keys" or name.startswith("keys."):
                continue
            setting = BY_NAME.get(name)
            if setting is None:
                self.problems.append(
                    f"{FILE} has {name!r}, which is not a setting; {typed('settings')} lists them."
                )
                continue
            try:
                values[setting.field] = setting.read(value)
            except ValueError as error:
                self.problems.append(f"In {FILE}, {error}")
        keys = data.get("keys", {})
        if not isinstance(keys, dict):
            self.problems.append(f"In {FILE}, keys must be a table: [keys].")
        else:
            values["keys"] = self._keys(keys)
        return values

    def _keys(self, keys: Mapping[str, Any]) -> dict[str, str]:
        found = {}
        for name, value in _flat(keys):
            if isinstance(value, str) and value and value.isprintable() and len(value) <= LONGEST:
                found[name] = value
            else:
                self.problems.append(f'In {FILE}, the key of {name} must be a text such as "x" or "x,f2".')
        return found

    def _remembered(self) -> dict[str, Any]:
        return _memory(_json(self.folder / REMEMBERED))

    def _from(self, environment: Mapping[str, str]) -> dict[str, Any]:
        values = {}
        for setting in SETTINGS:
            text = environment.get(setting.variable)
            if text is None:
                continue
            try:
                values[setting.field] = setting.parse(text)
                self.overridden.add(setting.name)
            except ValueError as error:
                self.problems.append(f"In the environment ({setting.variable}), {error}")
        return values

    # Writing

    def save(self, settings: Settings, otherwise: str = FOR_NOW) -> str:
        """Use these settings and write those that changed; why that was not possible and what is so
        ``otherwise``, or nothing.
        """
        before, self.settings = self.settings, settings
        changed = {
            setting.name: value_of(settings, setting)
            for setting in SETTINGS
            if value_of(settings, setting) != value_of(before, setting)
        }
        keys = dict(settings.keys) if settings.keys != before.keys else None
        try:
            if _remembered(before) != _remembered(settings):
                self._write_remembered(settings)
            if changed or keys is not None:
                if not self._writable:
                    return f"{self.path} is broken and left as it is; {otherwise}."
                self._write(changed, keys)
        except OSError as error:
            why = (error.strerror or "it cannot be written").lower()
            return f"{error.filename or self.path}: {why}; {otherwise}."
        return ""

    def _write_remembered(self, settings: Settings) -> None:
        from cave import codec

        self._replace(REMEMBERED, codec.encode(_remembered(settings)) + b"\n")

    def _write(self, changed: Mapping[str, Any], keys: Mapping[str, str] | None) -> None:
        import tomlkit
        from tomlkit.exceptions import TOMLKitError

        # Read anew: the person may have edited it meanwhile, and loses nothing by that.
        try:
            text = read_small(self.path, MOST).decode()
        except FileNotFoundError:
            text = FIRST_LINES
        try:
            document = tomlkit.parse(text)
            for name, value in changed.items():
                _put(document, name, value)
            if keys is not None:
                document["keys"] = dict(keys)
            written = tomlkit.dumps(document).rstrip("\n") + "\n"
        except (TOMLKitError, ValueError, RecursionError) as error:
            raise OSError(0, f"it is no longer a settings file ({error})", str(self.path)) from None
        self._replace(FILE, written.encode())

    def _replace(self, name: str, content: bytes) -> None:
        """Write a file as a whole, through a link if it is one."""
        make_private(self.folder)
        target = (self.folder / name).resolve()
        if target.exists() and not os.access(target, os.W_OK):
            raise OSError(0, "it is read-only", str(target))
        scratch = target.with_name(f"{target.name}.{os.getpid()}")
        try:
            scratch.write_bytes(content)
            scratch.replace(target)
        except OSError:
            if scratch.exists():
                scratch.unlink()
            raise


def _put(document: Any, name: str, value: Any) -> None:
    """Set a value, in its table where its name has one."""
    import tomlkit

    table, _, last = name.rpartition(".")
    if not table:
        document[last] = value
        return
    if not isinstance(document.get(table), dict):
        document[table] = tomlkit.table()
    document[table][last] = value


def _flat(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The entries with dotted names; a table that is empty has none."""
    for name, value in data.items():
        if isinstance(value, dict):
            yield from ((f"{name}.{more}", deep) for more, deep in _flat(value))
        else:
            yield name, value


def _json(path: Path) -> dict[str, Any]:
    from cave import codec

    try:
        data = codec.decode(read_small(path, MOST_REMEMBERED))
    except (OSError, BadData):
        return {}
    return data if isinstance(data, dict) else {}


def _remembered(settings: Settings) -> dict[str, Json]:
    return {name: getattr(settings, name) for name in ("address", "played_as", "last_pack")}


def _memory(data: Mapping[str, Json]) -> dict[str, Any]:
    texts = {name: data.get(name) for name in ("address", "played_as")}
    pack = data.get("last_pack")
    return {
        "last_pack": pack if isinstance(pack, dict) else None,
        **{
            name: text[:LONGEST] if isinstance(text, str) and text.isprintable() else ""
            for name, text in texts.items()
        },
    }
