"""What a person has to decide."""
