"""Advice for whoever plays: what there is to do, thought out beside the screen and from one seat's view."""
