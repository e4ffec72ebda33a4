"""What a host writes down, and how it gets it back."""
