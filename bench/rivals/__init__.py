"""E-Card written on other libraries, as `bench/engine.py` measures them."""
