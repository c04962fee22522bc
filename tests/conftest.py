"""What all tests stand on: the same examples in every run, and a Ctrl-C that reaches what they start."""

from __future__ import annotations

import signal

from hypothesis import settings

# Hypothesis finds the same examples in every run, so that a red test is red for everybody.
settings.register_profile("facedown", derandomize=True, deadline=None, database=None)
settings.load_profile("facedown")

# Started in the background of a script, this process ignores Ctrl-C, and so would whatever it starts.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
