"""Connected clients, and the limits of their requests."""
