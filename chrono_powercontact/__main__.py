"""python -m chrono_powercontact is the powercontact command."""

import sys

from .app.cli import main

sys.exit(main())
