"""The subcommands of `facedown`: imported when they are called."""
