"""The subcommands of `facedown`: one module each, imported when it is asked for."""
