"""The displayed state of the game: the scene, and the plain values in it."""
