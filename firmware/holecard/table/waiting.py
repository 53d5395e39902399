"""How a command waits: by what it answers when it has to be called again, by a mark in the table of commands."""

WAIT = object()
AFTER_DEAL = True
