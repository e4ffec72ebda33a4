"""Tables and the games on them: no socket and no clock."""
