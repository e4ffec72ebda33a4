"""The Cave in the client: its words, its line mode and its screen."""
