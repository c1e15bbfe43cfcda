"""Which labels still hold, and where they stand now."""
