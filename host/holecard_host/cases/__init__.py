"""Case files: worked rounds, and the runner that plays them on any stand."""
