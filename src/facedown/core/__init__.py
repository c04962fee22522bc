"""The table itself: pure, standard library only, knows no game by name. Start reading at `game`."""
