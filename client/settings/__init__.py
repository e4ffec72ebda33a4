"""What a person may set, and where it is kept."""
