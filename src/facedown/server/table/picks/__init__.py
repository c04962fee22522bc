"""The picks of an open decision: what lies face down, what was opened, and the command that opens."""
