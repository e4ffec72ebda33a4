"""The second toy as one that is installed beside the program."""
