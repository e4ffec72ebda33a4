"""What is said: events, help, tips and settings in words, and the line mode."""
