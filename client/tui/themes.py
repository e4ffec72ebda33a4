"""Themes: our own four, and the parts that every other theme lacks.

A theme is one table. Besides Textual's names it has those of the cave: the map's (``map-...``, of which
``map-text`` is rock, too, and ``map-depth-N`` 25 m, 50 m, and all below), the seats (``seat-N`` under
``seat-N-letter``), and the roles of text (``line``, ``dim``, ``title``, ``key``, ``gain``, ``tip``, ``warn``,
``loud``). Other themes get these from one of our tables, with each colour moved away from their background
until it is readable.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from rich.style import Style
from textual import events
from textual.app import App
from textual.color import BLACK, WHITE, Color
from textual.filter import LineFilter
from textual.screen import Screen
from textual.theme import Theme
from textual.timer import Timer
from textual.widget import Widget

from client.face import LETTERS
from client.settings.appearance import DEFAULT_THEME, OWN_THEMES
from client.tui import canvas as paint
from client.tui.canvas import CONTRAST, Rgb
from client.tui.colour_tiers import COLOURS_16, COLOURS_256, NO_COLOURS, TRUECOLOR, ColourTier, In256
from client.tui.motion import STILL, Motion
from client.tui.terminal import TerminalWindow
from client.tui.text_roles import ANSI, ANSI_BY_NAME, ANSI_LIGHT, TERMINALS_OWN

Result = TypeVar("Result")

IN_256 = In256()
LOOK_AGAIN = 0.05  # seconds until another attempt at keys that the table holds

# Okabe and Ito's colours, for all kinds of colour vision in daylight, under black letters.
SEATS = {
    "seat-1": "#E69F00",
    "seat-2": "#56B4E9",
    "seat-3": "#009E73",
    "seat-4": "#F0E442",
    "seat-5": "#D55E00",
    "seat-6": "#CC79A7",
    **{f"seat-{number}-letter": "#000000" for number in range(1, 7)},
}
# Chosen for people without red, green or blue cones: the best of many coarse steps.
SEATS_APART = {
    "seat-1": "#0066FF",
    "seat-1-letter": "#FFFFFF",
    "seat-2": "#FFFFCC",
    "seat-2-letter": "#000000",
    "seat-3": "#CC2A2A",
    "seat-3-letter": "#FFFFFF",
    "seat-4": "#66FF00",
    "seat-4-letter": "#000000",
    "seat-5": "#A06CA0",
    "seat-5-letter": "#000000",
    "seat-6": "#99AA88",
    "seat-6-letter": "#000000",
}


def _cave_theme(name: str, *, dark: bool, ground: Mapping[str, str], roles: Mapping[str, str]) -> Theme:
    return Theme(
        name=name,
        dark=dark,
        primary=roles["button"],
        secondary=roles["line"],
        accent=roles["key"],
        success=roles["gain"],
        warning=roles["warn"],
        error=roles["loud"],
        foreground=roles["text"],
        background=ground["background"],
        surface=ground["surface"],
        panel=ground["panel"],
        variables={
            "boost": ground["raised"],
            "text-muted": roles["dim"],
            "text-disabled": roles["dim"],
            "text-primary": roles["title"],
            "text-secondary": roles["title"],
            "text-accent": roles["key"],
            "text-success": roles["gain"],
            "text-warning": roles["warn"],
            "text-error": roles["loud"],
            "foreground-darken-2": roles["dim"],
            "border": roles["line"],
            "block-cursor-background": ground["raised"],
            "block-cursor-foreground": roles["text"],
            "block-cursor-blurred-background": ground["raised"],
            "block-cursor-blurred-foreground": roles["text"],
            "scrollbar": roles["line"],
            "scrollbar-hover": roles["dim"],
            "scrollbar-active": roles["title"],
            "scrollbar-background": ground["surface"],
            "block-hover-background": ground["raised"],
            "input-selection-background": ground["raised"],
            "footer-key-foreground": roles["key"],
            "cap": ground["raised"],
            "map-price": roles["map-text"],
            "words": roles["text"],
            **{role: colour for role, colour in roles.items() if role not in ("text", "button")},
        },
    )


CAVE_DARK = _cave_theme(
    "cave-dark",
    dark=True,
    ground={"background": "#0A090C", "surface": "#110F12", "panel": "#1B181B", "raised": "#2B2628"},
    roles={
        "text": "#EAE1D3",
        "dim": "#B9AC97",
        "line": "#8C7B64",
        "title": "#E3B667",
        "key": "#FFC861",
        "gain": "#93D38A",
        "tip": "#A9C7FF",
        "warn": "#FFAB73",
        "loud": "#FF9384",
        "button": "#CB9C50",
        "map-text": "#CBBCA2",
        "map-cursor": "#FFF0C4",
        "map-water": "#63C3F5",
        "map-wonder": "#F5D763",
        "map-squeeze": "#F5A650",
        "map-descent": "#C8A0F5",
        "map-choke": "#BAB3AA",
        "map-base": "#63D68A",
        "map-exit": "#63D8C4",
        "map-need": "#FF8A63",
        "map-depth-1": "#B4C4E6",
        "map-depth-2": "#8DA9F0",
        "map-depth-3": "#7385F2",
        **SEATS,
    },
)
CAVE_LIGHT = _cave_theme(
    "cave-light",
    dark=False,
    ground={"background": "#F5F0E6", "surface": "#EBE5DA", "panel": "#E2D9C8", "raised": "#D6CAB4"},
    roles={
        "text": "#2A231B",
        "dim": "#493D2C",
        "line": "#726250",
        "title": "#6E4300",
        "key": "#6B3400",
        "gain": "#14532D",
        "tip": "#1F3F8C",
        "warn": "#852B00",
        "loud": "#8C0D2C",
        "button": "#70470F",
        "map-text": "#4A3F31",
        "map-cursor": "#B34700",
        "map-water": "#00588F",
        "map-wonder": "#6B5200",
        "map-squeeze": "#8A4400",
        "map-descent": "#69309C",
        "map-choke": "#555049",
        "map-base": "#00632C",
        "map-exit": "#005E52",
        "map-need": "#A3210D",
        "map-depth-1": "#414C7C",
        "map-depth-2": "#2C54AC",
        "map-depth-3": "#3560E8",
        **SEATS,
    },
)
# Blue against yellow, light against dark: for people who see red and green alike.
CAVE_COLOUR_BLIND = _cave_theme(
    "cave-colour-blind",
    dark=True,
    ground={"background": "#111316", "surface": "#1A1D22", "panel": "#252A31", "raised": "#39414C"},
    roles={
        "text": "#E8EAED",
        "dim": "#B4BAC4",
        "line": "#7C889A",
        "title": "#8CC4FF",
        "key": "#FFD24A",
        "gain": "#7FC4FF",
        "tip": "#C9B8FF",
        "warn": "#FFD24A",
        "loud": "#FFB454",
        "button": "#7FB5F0",
        "map-text": "#C6CDD8",
        "map-cursor": "#FFFFFF",
        "map-water": "#6FB7FF",
        "map-wonder": "#FFE27A",
        "map-squeeze": "#F5B04C",
        "map-descent": "#C9B8FF",
        "map-choke": "#B4BAC4",
        "map-base": "#FFFFFF",
        "map-exit": "#9AD4FF",
        "map-need": "#FFC24A",
        "map-depth-1": "#A6BEEA",
        "map-depth-2": "#80A0E8",
        "map-depth-3": "#6087E6",
        **SEATS_APART,
    },
)
# The corners of the colour cube: the same with 256 or 16 colours.
CAVE_HIGH_CONTRAST = _cave_theme(
    "cave-high-contrast",
    dark=True,
    ground={"background": "#000000", "surface": "#000000", "panel": "#1C1C1C", "raised": "#303030"},
    roles={
        "text": "#FFFFFF",
        "dim": "#D0D0D0",
        "line": "#BCBCBC",
        "title": "#00FFFF",
        "key": "#FFFF00",
        "gain": "#00FF00",
        "tip": "#D7AFFF",
        "warn": "#FFAF00",
        "loud": "#FFAFAF",
        "button": "#FFFF00",
        "map-text": "#FFFFFF",
        "map-cursor": "#FFFF00",
        "map-water": "#00FFFF",
        "map-wonder": "#FFFF00",
        "map-squeeze": "#FFAF00",
        "map-descent": "#FFAFFF",
        "map-choke": "#D0D0D0",
        "map-base": "#00FF00",
        "map-exit": "#00FFFF",
        "map-need": "#FFAFAF",
        "map-depth-1": "#D7D7FF",
        "map-depth-2": "#AFAFFF",
        "map-depth-3": "#8787FF",
        **SEATS_APART,
    },
)
OWN = (CAVE_DARK, CAVE_LIGHT, CAVE_COLOUR_BLIND, CAVE_HIGH_CONTRAST)
OWN_BY_NAME = {theme.name: theme for theme in OWN}
assert tuple(OWN_BY_NAME) == OWN_THEMES

AT_HAND = OWN_BY_NAME | ANSI_BY_NAME
ROLES = tuple(ANSI)  # the names that every theme has for the cave
LIKE = {
    "words": "foreground",
    "map-text": "foreground",
    "map-price": "foreground",
    "line": "primary",
    "dim": "foreground-darken-2",
    "title": "text-primary",
    "key": "text-accent",
    "gain": "text-success",
    "tip": "text-secondary",
    "warn": "text-warning",
    "loud": "text-error",
}
"""Colours that Textual's themes already have."""


def roles_of_theme(theme: Theme) -> Mapping[str, str]:
    if theme.ansi:
        return ANSI if theme.dark else ANSI_LIGHT
    if theme.name in OWN_THEMES:
        return {role: theme.variables[role] for role in ROLES}
    likest = (CAVE_DARK if theme.dark else CAVE_LIGHT).variables
    colours = theme.to_color_system().generate()
    grounds = [Color.parse(colours[name]) for name in ("background", "surface", "panel")]
    return {
        role: likest[role]
        if role.startswith("seat-")
        else readable(Color.parse(colours[LIKE[role]] if role in LIKE else likest[role]), grounds).hex
        for role in ROLES
    }


def theme_paints_pictures(theme: Theme, *, stark: bool = False) -> bool:
    """Return whether pictures are shown: never with few colours, and with high contrast if ``stark``."""
    return not theme.ansi and (stark or theme.name != CAVE_HIGH_CONTRAST.name)


def readable(colour: Color, grounds: list[Color]) -> Color:
    """Return the colour, moved towards black or white just enough to be readable on all grounds."""
    solid = best = Color(*colour.rgb)
    end = max((BLACK, WHITE), key=lambda each: min(contrast(each, ground) for ground in grounds))
    for step in range(21):
        best = solid.blend(end, step / 20)
        if all(contrast(best, ground) >= CONTRAST for ground in grounds):
            break
    return best


def contrast(one: Color, other: Color) -> float:
    """Return the contrast of two of Textual's colours, 1 to 21 (WCAG 2.1)."""
    return paint.contrast(paint.Rgb(*one.rgb), paint.Rgb(*other.rgb))


class ThemedApp(App[Result]):
    """An app with our themes, and the cave's colours in all others. It loses no keys typed ahead."""

    draws = True  # whether it draws pictures if the theme has colours for them
    is_far_away = False  # whether its output may go over a slow line

    def __init__(self, theme: str = DEFAULT_THEME, **options: Any) -> None:
        self.window = TerminalWindow()
        # Set before Textual computes its styles, which it would otherwise do for its own theme first.
        self.set_reactive(App.theme, theme)
        super().__init__(**options)
        self.motion = Motion()
        self._typed: deque[events.Key | events.Paste] = deque()
        self._look_again: Timer | None = None

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Return the usual filters; with 256 colours ours are better than Textual's nearest."""
        usual = super().get_line_filters()
        return [*usual, IN_256] if self.console.color_system == "256" else usual

    def post_display_hook(self) -> None:
        """Move the terminal's cursor to that of the board."""
        cell = getattr(self.screen, "cursor_cell", None) if self.screen_stack else None
        if cell is not None and cell != self.cursor_position:
            self.cursor_position = cell
            self.window.move_cursor(cell)

    def push_screen(self, screen: Any, *arguments: Any, **options: Any) -> Any:
        """Open a screen. Its style sheet and size classes are set before its styles are computed: later, all
        would be computed again. From Python 3.12 on Textual creates a screen's widgets before it reads the
        style sheet.
        """
        if isinstance(screen, Screen):
            for path in screen.css_path:
                if not self.stylesheet.has_source(str(path), ""):
                    self.stylesheet.read(path)
            width, height = self.size
            for extent, its_own, usual in (
                (width, screen.HORIZONTAL_BREAKPOINTS, self.HORIZONTAL_BREAKPOINTS),
                (height, screen.VERTICAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS),
            ):
                breakpoints = sorted((usual if its_own is None else its_own) or [], reverse=True)
                if name := next((name for least, name in breakpoints if extent >= least), ""):
                    screen.set_class(True, name, update=False)
        return super().push_screen(screen, *arguments, **options)

    async def on_event(self, event: events.Event) -> None:
        """Wake motion on keys and clicks; hold typed text until all screens have their widgets."""
        if isinstance(event, events.Key | events.MouseDown | events.MouseScrollDown | events.MouseScrollUp):
            self.motion.resume_motion()
        if isinstance(event, events.Key | events.Paste) and self.screen_stack:
            self._typed.append(event)
            await self._work_off()
        else:
            await super().on_event(event)

    def forget_typed(self) -> None:
        """Drop the waiting keys: they were meant for another state."""
        self._typed.clear()

    async def _work_off(self) -> None:
        while self._typed and self.screen_stack:
            waited_for = next((screen for screen in self.screen_stack if not screen.is_mounted), None)
            if waited_for is not None:
                # The callback runs as soon as it is mounted.
                waited_for.call_later(self.call_later, self._work_off)
                return
            held = getattr(self.screen, "holds_key", lambda _: False)
            first = next((at for at, each in enumerate(self._typed) if not held(getattr(each, "key", ""))), None)
            if first is None:
                show_held = getattr(self.screen, "show_held_keys", lambda _: None)
                show_held([getattr(each, "key", "") for each in self._typed])
                if self._look_again is None:
                    self._look_again = self.set_timer(LOOK_AGAIN, self._work_off_held)
                return
            # A key that does not wait stops what the others wait for.
            for _ in range(first):
                self._typed.popleft()
            await super().on_event(self._typed.popleft())

    async def _work_off_held(self) -> None:
        self._look_again = None
        await self._work_off()

    @property
    def available_themes(self) -> dict[str, Theme]:
        """Textual's themes and ours, available from the start: styles are read early."""
        return {**super().available_themes, **AT_HAND}

    def get_theme(self, theme_name: str) -> Theme | None:
        """Return a theme by name; every drawn line asks for it, so ours are cached."""
        return AT_HAND.get(theme_name) or super().get_theme(theme_name)

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """Return the cave's colours for themes that have none, and the ground of keys and slots."""
        theme = self.current_theme
        cap = TERMINALS_OWN if theme.ansi else theme.panel or theme.to_color_system().generate()["panel"]
        return {**roles_of_theme(theme), "cap": cap}


class FollowsTheme(Widget):
    def on_mount(self) -> None:
        self.app.theme_changed_signal.subscribe(self, lambda _: self.theme_changed())

    def on_unmount(self) -> None:
        """Unsubscribe: the app would keep all subscribers, and their screens."""
        self.app.theme_changed_signal.unsubscribe(self)

    def theme_changed(self) -> None:
        raise NotImplementedError


def shows_pictures(app: App[Any], *, stark: bool = False) -> bool:
    return theme_paints_pictures(app.current_theme, stark=stark) and draws(app)


def draws(app: App[Any]) -> bool:
    return not isinstance(app, ThemedApp) or app.draws


def boards_are_lit(app: App[Any], wish: str | bool) -> bool:
    """Return whether boards are lit: by the setting, on ``auto`` only if the terminal is local."""
    return wish is True or (wish == "auto" and not (isinstance(app, ThemedApp) and app.is_far_away))


def colour_tier(app: App[Any]) -> ColourTier:
    """Return the colours for pictures on an app's terminal."""
    if app.current_theme.ansi:
        return NO_COLOURS if app.no_color else COLOURS_16
    return COLOURS_256 if app.console.color_system == "256" else TRUECOLOR


def paints_dark_board(app: App[Any]) -> bool:
    """Return whether boards may be painted with few colours: rock needs a dark ground."""
    return app.current_theme.ansi and app.current_theme.dark and draws(app)


def seat_ink(app: App[Any], seat: int, ground: str) -> Style:
    """Return the colour of a seat, adjusted to be visible on a ground (a variable of the theme)."""
    variables = app.theme_variables
    own = variables.get(f"seat-{seat + 1}", variables["words"])
    if app.current_theme.ansi:
        # On light grounds yellow and bright cyan are invisible; no information depends on colour alone.
        shown = own if app.current_theme.dark else variables["words"]
        return Style(color=Color.parse(shown).rich_color)
    colour = readable(Color.parse(own), [Color.parse(variables[ground])])
    return Style(color=colour.rich_color)


def seat_colours(app: App[Any]) -> tuple[tuple[Rgb, Rgb], ...]:
    """Return the ground and the ink of each seat's letter."""
    found = app.theme_variables
    names = [f"seat-{number}" for number in range(1, len(LETTERS) + 1)]
    return tuple((_rgb(found[name]), _rgb(found[f"{name}-letter"])) for name in names)


def _rgb(colour: str) -> Rgb:
    return Rgb(*Color.parse(colour).rgb)


def motion_of(app: App[Any]) -> Motion:
    return app.motion if isinstance(app, ThemedApp) else STILL
