"""The Caves of Casadh, as the client knows it beside its rules: known, said, and on the screen."""
