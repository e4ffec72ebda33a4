"""The line mode of Sir Ocelot's Cave."""
