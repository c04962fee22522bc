"""E-Card written on other libraries, as `lab/bench/engine.py` measures them."""
