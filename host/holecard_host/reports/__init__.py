"""Files about a test run, for other programs."""
