"""People at a table, as its host tells of them: names clean, and no longer than allowed."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from msgspec.structs import replace

from cave import protocol, wire
from cave.game import BadData, Json
from client.table import ChatLine, Proposal, Seat


def seats(lines: Sequence[protocol.SeatLine]) -> list[Seat]:
    """Return the seats of a table, in their order."""
    return [
        Seat(
            wire.clean_text(line.name)[: wire.MAX_NAME],
            line.kind,
            line.present,
            stand_in=line.stand_in,
            team=wire.clean_text(line.team)[: wire.MAX_NAME],
            level=wire.clean_text(line.level)[: wire.MAX_NAME],
            handed=line.handed,
            kept=wire.clean_text(line.kept)[: wire.MAX_NAME],
        )
        for line in lines
    ]


def chat_line(line: protocol.ChatLine) -> ChatLine:
    """Return the line of something that was said."""
    name, text = (wire.clean_text(words) for words in (line.name, line.text))
    return ChatLine(name[: wire.MAX_NAME], text[: wire.MAX_CHAT], line.watcher)


def proposal(line: protocol.ProposalLine | None, seats: int) -> Proposal | None:
    """Return a player's question; raises BadData for a seat that does not exist."""
    if line is None:
        return None
    if any(seat >= seats for seat in (line.seat, *line.waits_for)):
        raise BadData("seat", f"must be 0 to {seats - 1}")
    level = wire.clean_text(line.level)[: wire.MAX_NAME]
    return replace(line, level=level, waits_for=tuple(line.waits_for))


def comings_and_goings(before: list[Seat], after: list[Seat], mine: Collection[int] = ()) -> list[Json]:
    """Return what the log tells of people at a running game: who leaves a seat and who takes it, who is away,
    who is back, who plays for whom. Whoever sits on the seats that are ``mine`` knows where they are.
    """
    notes: list[Json] = []
    for number, (old, new) in enumerate(zip(before, after, strict=True)):
        if old.kind == "person" and new.kind == "bot":
            notes.append({"type": "resigned", "seat": number, "level": new.level})
        if old.name and old.name != new.name:
            notes.append({"type": "left", "seat": number, "name": old.name})
        if new.kind != "person":
            continue
        if new.name != old.name:
            notes.append({"type": "sat", "seat": number, "name": new.name, "former": old.called})
        elif old.present != new.present and number not in mine:
            notes.append({"type": "back" if new.present else "away", "seat": number})
        if new.handed != old.handed:
            kind = "handed_over" if new.handed else "plays_again"
            notes.append({"type": kind, "seat": number, "level": new.level})
        elif new.stand_in and new.stand_in != old.stand_in:
            idle = {"idle": True} if new.present else {}
            notes.append({"type": f"stand_in_{new.stand_in}", "seat": number, "level": new.level, **idle})
    return notes
