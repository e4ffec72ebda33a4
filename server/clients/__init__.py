"""Connected clients, and the limits on what each may ask of the host."""
