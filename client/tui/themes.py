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

COLOURS = """\
               cave-dark  cave-light  cave-colour-blind  cave-high-contrast
background     0A090C     F5F0E6      111316             000000
surface        110F12     EBE5DA      1A1D22             000000
panel          1B181B     E2D9C8      252A31             1C1C1C
raised         2B2628     D6CAB4      39414C             303030
text           EAE1D3     2A231B      E8EAED             FFFFFF
dim            B9AC97     493D2C      B4BAC4             D0D0D0
line           8C7B64     726250      7C889A             BCBCBC
title          E3B667     6E4300      8CC4FF             00FFFF
key            FFC861     6B3400      FFD24A             FFFF00
gain           93D38A     14532D      7FC4FF             00FF00
tip            A9C7FF     1F3F8C      C9B8FF             D7AFFF
warn           FFAB73     852B00      FFD24A             FFAF00
loud           FF9384     8C0D2C      FFB454             FFAFAF
button         CB9C50     70470F      7FB5F0             FFFF00
map-text       CBBCA2     4A3F31      C6CDD8             FFFFFF
map-cursor     FFF0C4     AE4500      FFFFFF             FFFF00
map-water      63C3F5     00588F      6FB7FF             00FFFF
map-wonder     F5D763     6B5200      FFE27A             FFFF00
map-squeeze    F5A650     8A4400      F5B04C             FFAF00
map-descent    C8A0F5     69309C      C9B8FF             FFAFFF
map-choke      BAB3AA     555049      B4BAC4             D0D0D0
map-base       63D68A     00632C      FFFFFF             00FF00
map-exit       63D8C4     005E52      9AD4FF             00FFFF
map-need       FF8A63     A3210D      FFC24A             FFAFAF
map-depth-1    B4C4E6     414C7C      A6BEEA             D7D7FF
map-depth-2    8DA9F0     2C54AC      80A0E8             AFAFFF
map-depth-3    7385F2     3560E8      6087E6             8787FF
seat-1         E69F00     E69F00      0066FF             0066FF
seat-1-letter  000000     000000      FFFFFF             FFFFFF
seat-2         56B4E9     56B4E9      FFFFCC             FFFFCC
seat-2-letter  000000     000000      000000             000000
seat-3         009E73     009E73      CC2A2A             CC2A2A
seat-3-letter  000000     000000      FFFFFF             FFFFFF
seat-4         F0E442     F0E442      66FF00             66FF00
seat-4-letter  000000     000000      000000             000000
seat-5         D55E00     D55E00      A06CA0             A06CA0
seat-5-letter  000000     000000      000000             000000
seat-6         CC79A7     CC79A7      99AA88             99AA88
seat-6-letter  000000     000000      000000             000000
"""
"""The colours of our themes. Colour-blind: blue against yellow, light against dark, for people who see red and
green alike. High contrast: the corners of the colour cube, the same with 256 or 16 colours. The seats of the
first two are Okabe and Ito's, for all kinds of colour vision in daylight, under black letters; those of the
others are the best of many coarse steps for people without red, green or blue cones.
"""


VARIABLES = {
    "dim": ("text-muted", "text-disabled", "foreground-darken-2", "scrollbar-hover"),
    "title": ("text-primary", "text-secondary", "scrollbar-active"),
    "key": ("text-accent", "footer-key-foreground"),
    "gain": ("text-success",),
    "warn": ("text-warning",),
    "loud": ("text-error",),
    "line": ("border", "scrollbar"),
    "text": ("words", "block-cursor-foreground", "block-cursor-blurred-foreground"),
    "surface": ("scrollbar-background",),
    "raised": (
        *("boost", "cap", "block-cursor-background", "block-cursor-blurred-background"),
        *("block-hover-background", "input-selection-background"),
    ),
    "map-text": ("map-price",),
}
"""Other variables with the same colour; most are Textual's."""
NO_VARIABLES = ("background", "surface", "panel", "raised", "text", "button")


def _cave_theme(name: str, colours: Mapping[str, str]) -> Theme:
    return Theme(
        name=name,
        dark=name != "cave-light",
        primary=colours["button"],
        secondary=colours["line"],
        accent=colours["key"],
        success=colours["gain"],
        warning=colours["warn"],
        error=colours["loud"],
        foreground=colours["text"],
        background=colours["background"],
        surface=colours["surface"],
        panel=colours["panel"],
        variables={
            **{role: colour for role, colour in colours.items() if role not in NO_VARIABLES},
            **{variable: colours[role] for role, variables in VARIABLES.items() for variable in variables},
        },
    )


_NAMES, *_ROWS = (line.split() for line in COLOURS.splitlines())
OWN = tuple(
    _cave_theme(name, {role: f"#{colours[column]}" for role, *colours in _ROWS}) for column, name in enumerate(_NAMES)
)
CAVE_DARK, CAVE_LIGHT, CAVE_COLOUR_BLIND, CAVE_HIGH_CONTRAST = OWN
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
