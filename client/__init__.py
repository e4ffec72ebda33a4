"""The terminal client: it shows what the host says and sends back what the person chose."""
