"""The commands: their names, what they do, and which one is meant by what was typed."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import attrs


@attrs.frozen
class Command:
    """``name`` is typed, or one of ``also``; ``more`` shows what may follow, ``does`` says what for.

    ``old`` are names of earlier days, which scripts still use and nothing tells of.
    """

    name: str
    does: str
    more: str = ""
    also: tuple[str, ...] = ()
    old: tuple[str, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Every word that means it."""
        return (self.name, *self.also, *self.old)

    @property
    def usage(self) -> str:
        """How it is typed."""
        return f"{self.name} {self.more}".strip()


LOOKING = (
    Command("here", "where you are, and what lies around"),
    Command("look", "what lies around, or at one place", "[north, or a place such as 2,0]"),
    Command("map", "all tiles, the deepest last", also=("tiles",)),
    Command("moves", "what you can do now, numbered; type the number to do it", also=("actions", "list")),
    Command("why", "what you cannot do now, and why not", "[west, or an action]"),
    Command("bag", "what you carry, and what is in the camp", also=("backpack", "camp", "inventory")),
    Command("turn", "whose turn it is, AP, consumables and the way home", also=("status",)),
    Command("teams", "points, consumables and place of all teams, and who has most of what"),
    Command("goal", "what wins and what loses"),
    Command("score", "the score sheet, line by line"),
    Command("log", "the last lines of the log", "[how many]"),
    Command("since", "what happened since your last turn"),
    Command("route", "the cheapest way to a place", "to 2,0"),
    Command("home", "the cheapest way home"),
    Command("who", "who sits at the table"),
    Command("rules", "a part of the rules", "[number, such as 5.3]"),
)
DOING = (
    Command("north", "go north; east, south and west likewise", "[by oxygen, raft or force]", also=("n",)),
    Command("east", "go east", also=("e",)),
    Command("south", "go south", also=("s",)),
    Command("west", "go west", also=("w",)),
    Command("go", "go to a place, as far as the AP of this turn last", "to 2,0"),
    Command("discover", "discover a tile", also=("x",), old=("explore", "draw")),
    Command("place", "lay the tile you have discovered", "[number]"),
    Command("dive", "take the water token here"),
    Command("photo", "take the photo token here", also=("photograph", "snap")),
    Command("pack", "fill the backpack", "[3 consumables 2 rope camera camp 2 consumables, or same]"),
    Command("try", "what a pack lets you do, without packing it", "3 consumables 2 rope"),
    Command("pitch", "put the camp up"),
    Command("strike", "take the camp down"),
    Command("exchange", "move things", "1 consumable to camp 2 rope to bag"),
    Command("discard", "discard things for good", "1 rope", old=("drop",)),
    Command("abandon", "leave the packed camp at the base for good"),
    Command("undo", "take back a step"),
    Command("reset", "take back the whole turn, as far as that goes"),
    Command("end", "end the turn; asks first if something is lost", "[yes]"),
)
TALKING = (
    Command("chat", "say something to everybody", "words", also=("say",)),
    Command("rematch", "after the end: play again with the same people and bots"),
    Command("takeover", "play again for the seat that another terminal took over"),
    Command("save", "how the game is saved"),
    Command("quit", "leave; the game is saved", also=("exit", "leave")),
    Command("help", "the commands, or one of them", "[command]", also=("commands",)),
)
STEPPING = (
    Command("next", "the next steps", "[how many]", also=("n",)),
    Command("back", "steps back", "[how many]", also=("b",)),
    Command("step", "go to a step", "number"),
    Command("first", "to the start"),
    Command("last", "to the end, without listing the steps between"),
    Command("play", "list all steps to the end"),
)
PLAYING = (*LOOKING, *DOING, *TALKING)
REPLAYING = (
    *STEPPING,
    *(each for each in LOOKING if each.name not in ("moves", "why", "since", "who")),
    *(each for each in TALKING if each.name in ("quit", "help")),
)


def find(word: str, commands: Sequence[Command] = PLAYING) -> Command | None:
    """The command of this name, or the only one that begins so."""
    for command in commands:
        if word in command.names:
            return command
    begun = {
        command.name: command for command in commands if any(name.startswith(word) for name in command.names)
    }
    return next(iter(begun.values())) if len(begun) == 1 else None


def unknown(word: str, commands: Sequence[Command] = PLAYING) -> str:
    """One sentence about what is no command, with the nearest one."""
    meant = {
        name: command.name if name in command.old else name for command in commands for name in command.names
    }
    begun = [command.name for command in commands if command.name.startswith(word)]
    if len(begun) > 1:
        return f"{word} could be {', '.join(begun[:-1])} or {begun[-1]}."
    near = get_close_matches(word, meant, 1, 0.6)
    if near:
        return f"There is no command {word[:40]}. Did you mean {meant[near[0]]}? Type help for all commands."
    return f"There is no command {word[:40]}. Type help for all commands."


def helped(words: str, commands: Sequence[Command] = PLAYING) -> list[str]:
    """The help: of one command, or the list of all."""
    if words:
        command = find(words, commands)
        return [unknown(words, commands)] if command is None else [_line(command)]
    return [
        *(_line(command) for command in commands),
        "You can shorten a command as long as it is clear.",
    ]


def _line(command: Command) -> str:
    also = f" Also: {', '.join(command.also)}." if command.also else ""
    return f"{command.usage}: {command.does}.{also}"
