"""Chunkers: from a document to verbatim slices of it."""
