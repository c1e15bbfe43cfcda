"""What each DVC stage does: params in, core called, files out."""
