"""`python -m facedown`."""

import sys

from facedown.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
