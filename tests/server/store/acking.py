"""A program that appends to many tables at once and prints which appends were answered, until it is killed.

python -m tests.server.store.acking DIRECTORY
"""

from __future__ import annotations

import asyncio
import sys

from facedown.server.store import open_store
from facedown.server.store.base import Store
from tests.server.store.steps import creation, head_of, step


async def main(folder: str) -> None:
    store = open_store(f"sqlite:{folder}")
    await asyncio.gather(*(play(store, f"T{number}") for number in range(25)))


async def play(store: Store, table: str) -> None:
    head = await head_of(store, table) or 0
    while True:
        await store.append(step(table, head, command=f"C{head}") if head else creation(table))
        head += 1
        sys.stdout.write(f"{table} {head}\n")
        sys.stdout.flush()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1]))
