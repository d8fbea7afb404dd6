"""The command line: runs, comparisons, the tour, records and the doctor."""
