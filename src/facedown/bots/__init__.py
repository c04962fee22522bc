"""Bots, the machine opponents. A bot sees what its seat may see, and nothing else."""
