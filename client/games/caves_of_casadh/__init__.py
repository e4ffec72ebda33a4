"""The Caves of Casadh on the screen and in lines."""
