"""The program's own screens, one module each, with its stylesheet."""
