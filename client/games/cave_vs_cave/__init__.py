"""Cave vs Cave in the client: ``known`` is what a seat knows, ``said`` its words, and ``screen`` the table."""
