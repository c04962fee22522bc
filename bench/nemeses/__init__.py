"""The nemeses of `bench/cluster.py`: each lets something go wrong, and prints bars with their figures."""
