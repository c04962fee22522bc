"""The commands that this package adds to `facedown`, one module each."""
