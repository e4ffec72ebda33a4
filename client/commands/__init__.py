"""The commands that need more than a few lines; each is imported when it is run."""
