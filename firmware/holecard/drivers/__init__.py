"""Drivers for parts on a bus."""
