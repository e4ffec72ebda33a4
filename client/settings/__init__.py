"""The settings of a person, and where they are kept."""
