"""Cave vs Cave in the client: scenes, texts, line mode and screen."""
