"""The tile in hand: held over one of its places, turned, and placed for good."""

from __future__ import annotations

from functools import partial

from cave.the_cave.geometry import Coord
from client.games.the_cave.board.cave_map import CaveMap
from client.games.the_cave.known import terms
from client.games.the_cave.known.aiming import Aim, first_aim
from client.games.the_cave.known.picture import Ghost
from client.games.the_cave.known.scene import CaveScene
from client.games.the_cave.said import sentences, settings
from client.tui.controller import Controller
from client.tui.keymap import first_key
from client.tui.sentences import NOT_NOW


class Placing:
    """Holds a tile over the map: one's own, or another's that one tries out meanwhile."""

    def __init__(self, play: Controller[CaveScene]) -> None:
        self._play = play
        self.aim: Aim | None = None
        """How the tile is held."""
        self.wish: Coord | None = None
        """Where the tile that is about to be discovered is to lie first."""

    def follow(self, before: CaveScene) -> bool:
        """Take up or put down the tile for another scene; tell whether it was just taken up to be placed."""
        now = self._play.scene
        placing = now.mode == "placing"
        stale = self.aim is not None and self.aim.spots != now.spots
        if stale or placing != (before.mode == "placing"):
            self.aim = None
        if not placing or self.aim is not None:
            return False
        aim, self.wish = first_aim(now.spots, self.wish), None
        if aim is not None:
            self._hold(aim)
        return True

    def ghost(self) -> Ghost | None:
        """Return the tile that is held over the map."""
        key = first_key(self._play.screen.keymap, "game.rotate")
        return None if self.aim is None else self.aim.ghost(key)

    def look(self) -> None:
        """Point at the tile that is held, if there is one."""
        if self.aim is not None:
            self._hold(self.aim)

    def _hold(self, aim: Aim) -> None:
        """Hold the tile over one of its places, and look there."""
        self.aim = aim
        cave_map = self._play.screen.query_one(CaveMap)
        cave_map.cursor = aim.spot.at
        cave_map.show(aim.spot.at)

    def _select(self, aim: Aim) -> None:
        self._hold(aim)
        self._play.say("")
        self._play.screen.paint()

    def try_out(self) -> bool:
        """Hold the tile that somebody else has drawn over a place, to see how it would lie there."""
        aim = first_aim(self._play.scene.spots, None) if self.aim is None else None
        if aim is None:
            return False
        self._hold(aim)
        self._play.screen.paint()
        return True

    def to_side(self, side: str) -> None:
        """Choose the legal place on this side."""
        aim = self.aim.to_side(side) if self.aim is not None else None
        if aim is None:
            self._play.say(f"No legal place to the {terms.SIDE_WORDS[side]}.")
        else:
            self._select(aim)

    def to_spot(self, number: str) -> None:
        """Choose the place with this number."""
        if self.aim is not None and int(number) <= len(self.aim.spots):
            self._select(self.aim.over(int(number) - 1))

    def to_next(self) -> bool:
        """Choose the next place; tell whether there is a tile to hold over it."""
        if self.try_out():
            return True
        if self.aim is not None:
            self._select(self.aim.over_next())
        return self.aim is not None

    def click(self, at: Coord) -> None:
        """Choose a place, or turn the tile that is held over it."""
        aim = self.aim.over_at(at) if self.aim is not None else None
        if aim is not None and aim == self.aim:
            self.rotate()
        elif aim is not None:
            self._select(aim)

    def rotate(self) -> None:
        """Turn the tile the next way it fits."""
        if self.try_out():
            return
        if self.aim is None:
            self._play.say("There is no tile in hand to rotate.")
        elif len(self.aim.spot.turns) == 1:
            self._play.say("There it fits in one way only.")
        else:
            self._hold(self.aim.rotated())
            self._play.screen.paint()

    def place(self) -> None:
        """Place the tile as it is held."""
        play, now = self._play, self._play.scene
        if now.mode != "placing" or self.aim is None:
            play.say(NOT_NOW)
            return
        action, seat = now.state.game.action_json(self.aim.action), now.seat
        if play.wished(settings.PLACE):
            do = partial(play.send, seat, action)
            play.ask_first(action, sentences.PLACE, "Place it", "Go on", do, sure=True)
        else:
            play.send(seat, action)
