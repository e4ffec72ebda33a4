"""Events as sentences. Values of treasures appear only at the end: everyone at the keyboard reads the log."""

from __future__ import annotations

from collections.abc import Sequence

from cave.caves_of_casadh.components import components
from cave.caves_of_casadh.game import View
from cave.caves_of_casadh.routes import slides_of_slope
from cave.game import Json
from cave.score import Score
from client.face import LogEntry, SheetWords
from client.games.caves_of_casadh import terms
from client.wording import count, joined

FALLING = frozenset(
    {
        *("hex_drawn", "card_drawn", "misfortune", "rolled", "tokens_placed", "items_placed", "damaged"),
        *("died", "collapsed", "lantern_taken", "grue_gone"),
    }
)
_LOUD = frozenset(
    {
        *("misfortune", "tokens_placed", "damaged", "died", "deployed", "collapsed", "grue_moved"),
        *("grue_gone", "lantern_taken", "left", "game_over"),
    }
)
_ENTERING = {"move": "moves to", "flee": "flees to", "panic": "runs back in panic to"}
ROLLS = {"defuse": "to defuse", "take_lantern": "to take a Brass Lantern", "move_grue": "to move a grue"}
"""Purposes of rolls that are not hazards."""
SHEET = SheetWords(
    categories={"treasure": "Treasure"},
    notes={"dead": "dead"},
    legend="Treasures are secret until the end; the dead score nothing.",
    look="Look at the caves",
    no_winner="All are dead: nobody wins.",
)


def casadh_tie_words(scores: Sequence[Score], names: Sequence[str]) -> str:
    """Return how equal totals were decided, or nothing (rule 9.4)."""
    won = next((score for score in scores if score.winner), None)
    if won is None or not won.by:
        return ""
    return f"Equal treasure: {names[won.seat]} wins with {won.by}."


def log_line(index: int, event: Json, view: View) -> LogEntry | None:
    text = _event_sentence(event, view)
    if not text:
        return None
    seat, at = event.get("seat"), event.get("at") or event.get("to")
    if at and not isinstance(at[0], int):
        at = at[0]
    loud = event["type"] in _LOUD and event.get("outcome") != "spared"
    actor = "" if seat is None else view.names[seat]
    return LogEntry(index, seat, actor, text, at=(at[0], at[1]) if at else None, loud=loud)


def _event_sentence(event: Json, view: View) -> str:
    match event["type"]:
        case "hex_drawn":
            shape = components().hexes[event["hex"]]
            level = f", level {shape.level}" if not shape.special else ""
            return f"explores {terms.cell_words(event['to'])}: {shape.name}{level}"
        case "entered" if event["by"] in _ENTERING:
            return f"{_ENTERING[event['by']]} {terms.hex_place(view.cave, event['at'])}"
        case "slid":
            laid = view.cave.map[(event["at"][0], event["at"][1])]
            up = event["start"] in slides_of_slope(laid.layout.hex, event["passage"], rope=False)
            return f"{'climbs up' if up else 'slides down'} to another passage"
        case "card_drawn":
            card = components().cards[event["card"]]
            return f"draws a card: it takes {card.move} MP, {event['mp']} MP left"
        case "misfortune":
            verb = {"spared": "is spared", "kept": "keeps", "suffered": "suffers"}[event["outcome"]]
            lost = f", {terms.item_words(event['item'])} falls out of the pack" if event["item"] else ""
            name = terms.misfortune_name(event["misfortune"])
            return f"{verb} {name}{lost}" + ("" if verb == "is spared" else f": {terms.effect_sentence(name)}")
        case "misfortune_removed":
            by = event["by"].replace("base_camp", "Base Camp")
            return f"is rid of {terms.misfortune_name(event['misfortune'])}, by {by}"
        case "items_placed" if event["items"]:
            return f"finds {terms.item_list_words(event['items'])}"
        case "treasures_drawn":
            verb = "draws" if event["by"] == "explore" else "picks up"
            return f"{verb} {count(event['count'], 'treasure')}"
        case "treasure_kept":
            return "keeps a treasure" + (f", leaves {event['rest']}" if event["rest"] else "")
        case "items_collected":
            return f"takes {terms.item_list_words(event['items'])}, which ends the turn"
        case "rolled":
            return _roll_sentence(event)
        case "tokens_placed":
            return f"{terms.HAZARDS[event['hazard']]} at {joined([terms.cell_words(each) for each in event['at']])}"
        case "damaged":
            return f"loses 1 HP to {terms.DOOMS[event['by']]}, {event['hp']} left"
        case "healed":
            return f"uses the Medkit, {event['hp']} HP"
        case "died":
            return terms.death_words(event["by"])
        case "deployed":
            return "lays dynamite"
        case "defused":
            gained = " and takes it" if event["gained"] else ""
            return f"defuses the dynamite of {view.names[event['owner']]}{gained}"
        case "collapsed":
            return f"{terms.cell_words(event['at'])} collapses in the blast of dynamite"
        case "grue_moved":
            verb = "drives a grue" if event["by"] == "drive" else "moves a grue"
            return f"{verb} from {terms.cell_words(event['start'])} to {terms.cell_words(event['at'])}"
        case "grue_gone":
            return "drives a grue off for good: others wake sooner"
        case "lantern_taken":
            return f"takes the Brass Lantern of {view.names[event['holder']]}"
        case "left":
            found = joined([str(value) for value in event["treasures"]])
            return f"leaves the caves, and takes {found or 'nothing'} on the Surface"
        case "game_over":
            return "The game is over: all treasures are shown."
    return ""


def _roll_sentence(event: Json) -> str:
    reason, limit = event["reason"], event["limit"]
    # The result comes first, as a narrow log truncates the end.
    if reason in ROLLS:
        when = f"works at {limit} or less"
    else:
        when = f"below {limit} wakes them" if limit > 1 else "the first hex cannot wake them"
    return f"rolls [{event['roll']}]: {roll_result_words(event)} ({when})"


def roll_result_words(event: Json) -> str:
    reason, done = event["reason"], event["success"]
    if reason in ROLLS:
        return f"{'manages' if done else 'fails'} {ROLLS[reason]}"
    return f"{'' if done else 'no '}{terms.HAZARDS[reason].lower()}"
