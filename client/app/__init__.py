"""The program round a table: from the command line or the menu to a game, and back."""
