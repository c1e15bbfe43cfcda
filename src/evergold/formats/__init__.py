"""The only place that reads or writes files."""
