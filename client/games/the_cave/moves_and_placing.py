"""Moves and walks, with the confirmation before danger; placing the drawn tile; lists."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

from cave.codec import to_json
from cave.the_cave.actions import Action, Choice, EndTurn, Move, Place
from cave.the_cave.routes import way_home
from cave.the_cave.state import Coord
from client.games.the_cave import actions, terms, texts, walk_plans
from client.games.the_cave.actions import ActionLine, TileAim, first_aim
from client.games.the_cave.cave_map import CaveMap
from client.games.the_cave.guide import OF_ACTION
from client.games.the_cave.picture import Ghost
from client.games.the_cave.scene import CaveScene
from client.games.the_cave.supplies import supplies_of_team
from client.table import TableState
from client.tui.controller import Controller
from client.tui.sentences import NOT_NOW, WITH_RULES
from client.wording import count

if TYPE_CHECKING:
    from client.tui.chooser import Entry


HINTED = "The hint's way is marked."


class TeamMoves:
    def __init__(self, play: Controller[CaveScene]) -> None:
        self._play = play
        self.goals: dict[int, Coord] = {}  # the goal of a walk that continues in the seat's next turn

    def act(self, choice: Choice) -> None:
        play, now = self._play, self._play.scene
        if isinstance(choice.action, Move):
            cave_map = play.screen.query_one(CaveMap)
            cave_map.cursor = choice.action.to
            cave_map.scroll_into_view(choice.action.to)
        if not isinstance(choice.action, EndTurn):
            self.goals.pop(now.seat, None)  # another action ends the walk
        play.send(now.seat, to_json(choice.action))

    def ask_first(self, choice: Choice, question: str, yes: str, no: str, *, sure: bool = False) -> None:
        """Confirm a choice before it is done; see the controller's."""
        action = to_json(choice.action)
        self._play.ask_first(action, question, yes, no, lambda: self.act(choice), sure=sure)

    def do_enter_action(self, at: Coord) -> None:
        play, now = self._play, self._play.scene
        found = now.enter_action_at(at)
        if found.do == "move":
            self._enter(found.choices)
        elif found.do == "walk":
            question = walk_plans.before_walk(now.cave, now.seat, at)
            leg = found.legs[0]
            self._ask_of_danger(question, Move(leg.to, leg.by), lambda: self._walk(found, at))
        elif found.do:
            play.do(found.do)
        else:
            play.say(found.line.why)

    def land_after_jump(self, at: Coord) -> None:
        """Go to a place at once if possible; never start an irreversible action."""
        now = self._play.scene
        if now.can_act and now.mode != "placing":
            found = now.enter_action_at(at)
            if found.do == "move" or (found.do == "walk" and not found.stopped):
                self.do_enter_action(at)

    def _enter(self, choices: Sequence[Choice]) -> None:
        if len(choices) == 1:
            self.take(choices[0])
            return
        now = self._play.scene
        found = actions.move_offers(now.cave, now.seat, choices)
        self._open_list("Which way?", found)

    def take(self, choice: Choice) -> None:
        """Do a move; confirm forced ones, which use the whole turn, and dangerous ones."""
        play, now = self._play, self._play.scene
        forced = isinstance(choice.action, Move) and choice.action.by == "force"
        if forced and now.mode != "starving" and play.setting_value(texts.FORCE):
            self.ask_first(choice, texts.FORCE_QUESTION, "Force it", "Go on")
        else:
            question = walk_plans.before_move(now.cave, now.seat, choice)
            self._ask_of_danger(question, choice.action, lambda: self.act(choice))

    def take_by(self, by: str) -> None:
        at = self._play.screen.query_one(CaveMap).cursor
        for choice in actions.move_choices(self._play.scene.choices):
            if choice.action == Move(at, by):  # type: ignore[arg-type]
                self.take(choice)
                return

    def list_moves(self) -> None:
        play, now = self._play, self._play.scene
        found = actions.move_offers(now.cave, now.seat, now.choices) if now.can_act else ()
        if found:
            moves = (offer.choice.action for offer in found if offer.choice is not None)
            play.number_board_places(move.to for move in moves if isinstance(move, Move))
            self._open_list("Where to?", found, hint=WITH_RULES)
        else:
            play.say(play.why_not_now("move"))

    def _open_list(self, title: str, found: Sequence[ActionLine], **more: Any) -> None:
        """List moves; the one of the hint is marked."""
        play = self._play
        hinted = next((n for n, each in enumerate(found) if each.choice and play.is_hinted(each.choice.action)), None)
        title += "" if hinted is None else f" {HINTED}"
        play.asking.open_list(title, entries_of_moves(found), self.take, chosen=hinted or 0, **more)

    def _ask_of_danger(self, question: walk_plans.Question | None, first: Action, then: Callable[[], None]) -> None:
        play, now = self._play, self._play.scene
        warned = play.advising.has_warned(now.seat, to_json(first))
        if question is None or warned or not play.setting_value(texts.WALK):
            then()
            return
        play.labels = {**question.marks}
        play.screen.paint()
        text = "\n".join((question.ask, *question.told))
        play.asking.open_question(text, question.yes, "Stay here", then, sure=not question.danger)

    def _walk(self, found: actions.EnterAction, goal: Coord) -> None:
        """Walk step by step, waiting for each; a refusal or the lack of AP ends the walk."""
        play = self._play
        seat, screen = play.scene.seat, play.screen
        self.goals.pop(seat, None)

        async def go() -> None:
            for leg in found.legs:
                await screen.session.act(seat, to_json(Move(leg.to, leg.by)))

                def there(state: TableState, to: Coord = leg.to) -> bool:
                    return state.is_of_one_moment and bool(state.views[seat].cave.teams[seat].at == to)

                await screen.wait_for_state(there)
            if found.stopped:
                self.goals[seat] = goal
                # After the screen has shown the last step, which clears earlier messages.
                screen.call_later(play.say, found.stopped, "text")

        first = to_json(Move(found.legs[0].to, found.legs[0].by))
        play.advising.check(seat, first, partial(play.ask_host, go, several=True))


class TilePlacing:
    """Holds a tile over the map: the player's, or another team's to try out while waiting."""

    def __init__(self, play: Controller[CaveScene]) -> None:
        self._play = play
        self.aim: TileAim | None = None  # where and how the tile is held
        self.wish: Coord | None = None  # the first place to show for the tile about to be discovered

    def follow(self, before: CaveScene) -> bool:
        """Pick up or drop the tile for the new scene; return whether it was just picked up to place."""
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
        return None if self.aim is None else self.aim.ghost()

    def look_at_aim(self) -> None:
        if self.aim is not None:
            self._hold(self.aim)

    def _hold(self, aim: TileAim) -> None:
        self.aim = aim
        cave_map = self._play.screen.query_one(CaveMap)
        cave_map.cursor = aim.spot.at
        cave_map.scroll_into_view(aim.spot.at)

    def _select(self, aim: TileAim) -> None:
        self._hold(aim)
        self._play.say("")
        self._play.screen.paint()

    def try_out(self) -> bool:
        """Hold another team's drawn tile over a place, as a preview."""
        aim = first_aim(self._play.scene.spots, None) if self.aim is None else None
        if aim is None:
            return False
        self._hold(aim)
        self._play.screen.paint()
        return True

    def show_action(self, action: Place) -> None:
        if self.aim is not None:
            self._select(self.aim.as_in(action))

    def to_side(self, side: str) -> None:
        aim = self.aim.to_side(side) if self.aim is not None else None
        if aim is None:
            self._play.say(f"No legal place to the {terms.SIDE_WORDS[side]}.")
        else:
            self._select(aim)

    def to_spot(self, number: str) -> None:
        if self.aim is not None and int(number) <= len(self.aim.spots):
            self._select(self.aim.over(int(number) - 1))

    def to_next(self) -> bool:
        if self.try_out():
            return True
        if self.aim is not None:
            self._select(self.aim.over((self.aim.place + 1) % len(self.aim.spots)))
        return self.aim is not None

    def click(self, at: Coord) -> None:
        aim = self.aim.over_at(at) if self.aim is not None else None
        if aim is not None and aim == self.aim:
            self.rotate()
        elif aim is not None:
            self._select(aim)

    def rotate(self) -> None:
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
        play, now = self._play, self._play.scene
        if now.mode != "placing" or self.aim is None:
            play.say(NOT_NOW)
            return
        action, seat = to_json(self.aim.place_action), now.seat
        if play.setting_value(texts.PLACE):
            do = partial(play.send, seat, action)
            play.ask_first(action, texts.PLACE_QUESTION, "Place it", "Go on", do, sure=True)
        else:
            play.send(seat, action)


# Lists


def entries_of_moves(found: Sequence[ActionLine]) -> list[Entry]:
    """Return priced variants of moves, numbered."""
    from client.tui.chooser import number_key

    return [action_entry(offer)._replace(key=number_key(number)) for number, offer in enumerate(found, 1)]


def action_entry(line: ActionLine) -> Entry:
    """Return an action as an entry with its word, or its choice."""
    from client.tui.chooser import Entry

    rules = ("5.7",) if line.by_force else OF_ACTION.get(line.do, ())
    return Entry(
        line.label,
        line.choice or line.do,
        line.price,
        line.gain,
        line.why or line.brings,
        line.key,
        enabled=line.legal,
        about=rules,
        columns=() if line.legal else (line.short, line.reason),
        price_role="warn" if line.loses_points else "" if line.choice else "gain",
    )


def alarm_entries(scene: CaveScene) -> Iterator[Entry]:
    """Yield each team with its remaining turns, and whether it can be home; the value is its place."""
    from client.tui.chooser import Entry

    cave = scene.cave
    for seat, team in enumerate(cave.teams):
        found = supplies_of_team(cave, seat, way_home(cave, seat)).final_countdown
        assert found is not None
        name = f"{terms.team_letter(seat)} {scene.view.names[seat]}"
        role = "warn" if found.is_too_late else "text"
        yield Entry(name, team.at, f"{count(found.left, 'turn')} left", detail=found.words, role=role)
