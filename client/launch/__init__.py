"""Ways to a table: on a local host, or on another one."""
