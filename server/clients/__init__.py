"""Who is connected, and how much each may ask of the host."""
