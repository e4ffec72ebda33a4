"""Cave vs Cave in the client: what a seat knows, what is said of it, and the table."""
