"""The screen of Sir Ocelot's Cave."""
