"""What a game's folder may hold besides its rules: the contracts of bots, solver, judge, text and scene."""
