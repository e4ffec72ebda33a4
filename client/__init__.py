"""The terminal client: it shows the host's tables and sends back the player's choices."""
