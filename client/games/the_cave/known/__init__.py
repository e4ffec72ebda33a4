"""What is known of the game: the scene that is shown, and the plain values that it is made of."""
