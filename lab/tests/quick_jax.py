"""JAX for tests: most of the time goes into compiling, which takes a quarter without optimizations.

Importing this module loads nothing: a process that has loaded JAX while collecting forks nothing more.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

FLAGS: Final = "--xla_cpu_use_fusion_emitters=false --xla_cpu_parallel_codegen_split_count=1"
"""No clever loops, and each program compiled as one part instead of many."""


@contextmanager
def quickly_compiled() -> Iterator[None]:
    """Compile quickly inside this context; the result runs slowly."""
    os.environ.setdefault("XLA_FLAGS", FLAGS)  # read once, by the first use
    import jax

    jax.config.update("jax_disable_most_optimizations", True)
    yield
    jax.config.update("jax_disable_most_optimizations", False)
