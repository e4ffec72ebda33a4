"""Tables and their games. No sockets and no clock."""
