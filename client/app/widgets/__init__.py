"""Lists that the program's own screens show."""
