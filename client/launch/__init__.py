"""Ways to a table: on a host of our own, or on somebody else's."""
