"""The face of The Cave: what is shown of it, and how it is played."""
