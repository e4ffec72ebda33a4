"""No test tells the networks of this machine anything: those about that say where they do instead."""

import os

os.environ["CAVE_MDNS"] = "off"
