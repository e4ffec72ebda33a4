"""The face of The Cave: scenes, texts, board and screen."""
