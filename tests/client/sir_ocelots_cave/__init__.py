"""The client of Sir Ocelot's Cave."""
