"""Sentences that the screen says. Usual keys stand in braces."""

from __future__ import annotations

OVER = "The game is over: {enter} shows the score sheet, {q} leaves."
OTHERS_PLAY = "It is the turn of {name}: {{tab}} shows the boards, {{o}} what has happened."
WATCHING = "You are watching: {tab} shows the boards, {o} what has happened."
NO_NUMBER = "Nothing has that number now."
NOTHING_HERE = "Nothing can be done on that space now."
NO_ROOMS = "No rooms are on show now."
