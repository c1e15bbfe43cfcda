"""Metrics over rankings: one file each, and what they share. `spec/metrics.md` is the contract."""
