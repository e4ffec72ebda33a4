"""The host: tables and seats without I/O (``table``, ``house``), and the sockets (``host``)."""
