"""Loaders: from the bytes of a file to canonical text."""
