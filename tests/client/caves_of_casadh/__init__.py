"""The client of The Caves of Casadh."""
