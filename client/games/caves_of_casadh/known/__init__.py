"""All that is known at a table, worked out for whoever looks at it."""
