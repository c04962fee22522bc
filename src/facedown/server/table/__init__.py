"""A table online: facts, the state they fold into, commands, updates and snapshots, clocks, bots."""
