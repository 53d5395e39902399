"""The only code that knows a machine."""
