"""The game engine: rules, matches, records, chance; pure and without dependencies. Start at `game`."""
