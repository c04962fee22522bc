"""Tables as a terminal uses them: local, remote and recorded ones, save games and credentials."""
