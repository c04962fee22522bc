"""Text for people: phrases in several languages, widths and wrapping, the pages of rules."""
