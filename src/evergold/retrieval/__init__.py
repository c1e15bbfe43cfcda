"""Retrievers: from queries to ranked chunks."""
