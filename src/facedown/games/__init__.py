"""One folder here is one game. Games do not know each other; the registry finds them."""
