"""Many games at once: batches over processes, and what they add up to."""
