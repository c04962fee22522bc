"""The parts of `bench/scale.py`: many stored games, every question to a store, and a crowd of sockets."""
