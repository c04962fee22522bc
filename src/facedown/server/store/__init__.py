"""Where tables are kept: one append-only list of events is the truth."""
