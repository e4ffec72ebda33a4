"""The host: tables and clients without I/O (``service``), and the sockets (``host``)."""
