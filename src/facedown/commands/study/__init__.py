"""Commands for people who study: exploring solved positions, training, and data of recorded games."""
