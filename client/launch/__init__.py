"""Ways to a table: on our own host, or on another one."""
