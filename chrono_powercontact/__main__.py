"""python -m chrono_powercontact is the powercontact command."""

import sys

from .cli import main

sys.exit(main())
