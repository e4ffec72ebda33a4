"""The bots of The Caves of Casadh, frozen."""
