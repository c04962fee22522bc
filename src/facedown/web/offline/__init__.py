"""Play without a network: Python for browsers, our own code for it, and the static site."""
