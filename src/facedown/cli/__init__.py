"""The command line: `main` reads it; commands share its exit codes, errors, files and table options."""

from typing import Final

DONE: Final = 0
WRONG: Final = 1  # `doctor` found something that is wrong
FAILED: Final = 2
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED: Final = 141  # 128 + SIGPIPE
