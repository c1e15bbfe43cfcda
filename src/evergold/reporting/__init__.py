"""Reports: the data of them, and what people read."""
