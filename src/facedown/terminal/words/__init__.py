"""What a terminal says, in every language."""
