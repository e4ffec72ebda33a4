"""Players that play a whole game over the net, and count the acknowledged actions."""

from __future__ import annotations

from cave import bots
from client.net.connection import NetSession
from client.table import Rejected


async def plays(session: NetSession, seat: int, acknowledged: list[int]) -> None:
    """Play a seat like the weakest bot until the game is over; count acknowledged actions by seat."""
    while True:
        state = await session.wait_for_state(
            lambda state: state.status == "over" or (state.link == "live" and bool(state.choices.get(seat)))
        )
        if state.status == "over":
            return
        if session.state.expects_host:
            continue  # the link was lost after it was live
        game = state.game
        view = game.view_json(state.views[seat])
        choices = [game.choice_json(choice) for choice in state.choices[seat]]
        action = bots.choose(game.name, next(iter(game.bots)), view, choices, f"{seat} {state.seq}")
        try:
            await session.act(seat, action)
        except Rejected as error:
            # The view was outdated; nothing was applied.
            if error.code != "stale":
                raise
        else:
            acknowledged.append(seat)
