"""Animations without information: their duration, whether they may play now, and their timer.

Nothing here draws. A widget has a ``MotionPlayer`` for each of its effects, shows the given frame, and its normal
picture when the effect is over. Some seconds after the last key all motion rests: then nothing is drawn and
no timer runs.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Literal

from msgspec import Struct

if TYPE_CHECKING:
    from textual.timer import Timer
    from textual.widget import Widget

Level = Literal["off", "calm", "full"]
REST = 20.0  # seconds after the last key in which things may move


class Effect(Struct, frozen=True):
    """An animation: seconds per frame, frames (none: endless, until rest), whether it is ``calm``."""

    step: float
    frames: int | None = None
    calm: bool = False


CHANGE = Effect(0.075, calm=True)
"""A tile is laid, a team walks with its light, a token is taken: each has its own number of frames."""
TURN = Effect(0.05, 6)  # a light passes through the sign "your turn"
WATER = Effect(0.5)
SCORE = Effect(0.033, 24)
LAKE = Effect(0.5)


def far_away(environment: Mapping[str, str]) -> bool:
    """Return whether the terminal is at the other end of an SSH connection."""
    return "SSH_CONNECTION" in environment or "SSH_TTY" in environment


def level_for(
    wish: Level, environment: Mapping[str, str], *, colours: str | None, glyphs: str, animations: str
) -> Level:
    """Return how much may move: by the setting, but nothing over SSH, with few colours, or in ASCII.

    ``colours`` are the terminal's, ``animations`` is Textual's level of animation.
    """
    still = environment.get("TEXTUAL_ANIMATIONS", "").lower() == "none" or animations == "none"
    plain = "NO_COLOR" in environment or colours not in ("truecolor", "256") or glyphs == "ascii"
    return "off" if far_away(environment) or still or plain else wish


class Motion:
    """How much of an app may move, and whether the user is active."""

    def __init__(self, level: Level = "off", clock: Callable[[], float] = time.monotonic) -> None:
        self.level: Level = level
        self._clock = clock
        self._last = clock()
        self._resting: set[MotionPlayer] = set()

    def allows(self, effect: Effect) -> bool:
        """Return whether an effect may play now."""
        awake = self._clock() - self._last < REST
        return awake and (self.level == "full" or (self.level == "calm" and effect.calm))

    def resume_motion(self) -> None:
        """Resume resting motion: the user has pressed a key or a button."""
        self._last = self._clock()
        resting, self._resting = self._resting, set()
        for player in resting:
            player.start()

    def rest(self, player: MotionPlayer) -> None:
        """Restart this with the next key."""
        if self.level != "off":
            self._resting.add(player)

    def forget(self, player: MotionPlayer) -> None:
        self._resting.discard(player)


STILL = Motion()  # for apps without motion


class MotionPlayer:
    """Plays an effect on a widget: ``show`` gets the number of each frame, and None at the end."""

    def __init__(
        self, stage: Widget, effect: Effect, show: Callable[[int | None], None], motion: Callable[[], Motion]
    ) -> None:
        self._stage, self._effect, self._show, self._motion = stage, effect, show, motion
        self._timer: Timer | None = None
        self._frame = 0
        self._frames = effect.frames

    @property
    def is_moving(self) -> bool:
        return self._timer is not None

    def start(self, frames: int | None = None) -> None:
        """Restart, if it may play: the first frame is shown at once."""
        self.stop()
        self._frames = frames or self._effect.frames
        self._frame = 0
        if not self._stage.is_attached:
            return
        if self._may_go_on():
            self._timer = self._stage.set_interval(self._effect.step, self.show_next_frame)
            self._show(0)
        elif self._frames is None:
            self._motion().rest(self)

    def show_next_frame(self) -> None:
        """Show the next frame, or end."""
        if self._timer is None:
            return
        self._frame += 1
        if self._frames is not None and self._frame >= self._frames:
            self.stop()
        elif self._may_go_on():
            self._show(self._frame)
        else:
            self.stop()
            if self._frames is None:
                self._motion().rest(self)

    def stop(self) -> None:
        self._motion().forget(self)
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._show(None)

    def _may_go_on(self) -> bool:
        return self._motion().allows(self._effect) and self._stage.screen.is_current
