"""The program around a table: from the command line or the menu to a game, and back."""
