"""The longer commands; each is imported when it runs."""
