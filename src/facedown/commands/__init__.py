"""The subcommands of `facedown`, imported when called; `run` returns an exit status, or None for success."""
