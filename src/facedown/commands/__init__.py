"""What each subcommand of `facedown` does: one module each, imported when it is asked for."""

from typing import Final

DONE: Final = 0
FAILED: Final = 2
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED: Final = 141  # 128 + SIGPIPE
