"""The program's own screens, one module each, its styles beside it."""
