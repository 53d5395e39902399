"""Transcripts: what was said to a table and what it said, when, as lines of JSON; see docs/transcripts.md."""
