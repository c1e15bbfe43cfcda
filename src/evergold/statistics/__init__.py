"""How certain a number is."""
