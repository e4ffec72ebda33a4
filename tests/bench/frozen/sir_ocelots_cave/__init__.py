"""The bots of Sir Ocelot's Cave, frozen."""
