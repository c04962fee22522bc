"""E-Card in the laboratory."""
