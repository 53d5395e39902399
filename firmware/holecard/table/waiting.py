"""What a command answers that has to be called again."""

WAIT = object()
