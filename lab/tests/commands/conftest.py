"""Fixtures of the commands' tests: a command run in this process."""

from tests.cli.conftest import here as here
