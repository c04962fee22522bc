"""The command line: `main` reads it; commands share its exit codes, errors, files and table options."""

from typing import Final

DONE: Final = 0
WRONG: Final = 1  # a record that is false, or something that `doctor` found
FAILED: Final = 2
UNPROVEN: Final = 3  # nothing contradicts, but something is missing
INTERRUPTED: Final = 130  # 128 + SIGINT, as shells count
PIPE_CLOSED: Final = 141  # 128 + SIGPIPE
