"""Hosts and clients in a network: several addresses of loopback, or several network namespaces."""
