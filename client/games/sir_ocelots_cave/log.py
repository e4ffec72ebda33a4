"""Events as sentences. They never reveal the value of an amethyst: everyone at the keyboard reads the log."""

from __future__ import annotations

from msgspec.structs import replace

from cave.game import Json
from cave.sir_ocelots_cave.components import Gem
from cave.sir_ocelots_cave.game import View
from cave.sir_ocelots_cave.scoring import amethyst_means
from client.face import LogEntry, SheetWords
from client.games.sir_ocelots_cave import terms

SHEET = SheetWords(
    categories={
        "rock_crystal": "Rock crystal",
        "celestite": "Celestite",
        "opal": "Opal",
        "emerald": "Emerald",
        "red_beryl": "Red beryl",
        "amethyst": "Amethysts",
        "value_1": "Gems worth 1",
        "value_3": "Gems worth 3",
        "left_1": "Left on level 1",
        "left_2_3": "Left on 2 and 3",
    },
    legend="The last four are amethysts that count gems.",
    tie="more amethysts",
    look="Look at the caves",
)


def sheet_of(view: View) -> SheetWords:
    means = {bag: round(mean) for bag, mean in amethyst_means(view.cave).items()}
    secrets = [[means[each.bag] for each in player.amethysts if each.value is None] for player in view.cave.players]
    told = [
        f"{name} {len(each)}, about {sum(each)} points" for name, each in zip(view.names, secrets, strict=True) if each
    ]
    return replace(SHEET, so_far=f"If it ended now, without secret amethysts ({'; '.join(told)}):") if told else SHEET


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    seat, at, loud = event.get("seat"), event.get("at") or event.get("to"), False
    gained: tuple[Gem, ...] = ()
    match event["type"]:
        case "tool_placed":
            text = f"lays {terms.with_article(event['side'])} at {terms.board_place_words(at)}"
        case "companion_placed" | "advanced" as kind:
            does, way = ("sends", "down to") if kind == "advanced" else ("brings", "to")
            gained = (event["takes"],) if event["takes"] else ()
            takes = f", takes {terms.gem(gained[0])}" if gained else ""
            text = f"{does} the companion {way} {terms.board_place_words(at)}{takes}"
        case "collected":
            gained = tuple(gem["kind"] for gem in event["gems"])
            at = event["gems"][0]["at"] if gained else None
            text = f"collects {terms.gems_words(gained)}"
        case "drew":
            why = "for the geode" if event["by"] == "geode" else "for a set of celestites"
            text = f"draws {terms.with_article(event['bag'])} amethyst {why}"
        case "ended":
            text, loud = "The game is over: all amethysts are shown.", True
        case _:
            return None
    points = terms.points_of_gems(gained)
    return LogEntry(
        index,
        seat,
        "" if seat is None else view.names[seat],
        text,
        f"+{points}" if points else "",
        None if at is None else (at[0], at[1]),
        loud,
    )
