"""The nemeses of `bench/failover.py`: each lets something go wrong, and prints bars with their figures."""
