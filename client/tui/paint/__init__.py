"""Pictures in the cells of a terminal: canvas, colours, noise and pixels. It knows no game and no screen."""
