"""SQL of outages: one row holds them all, and each table what it has been given of them.

An outage changes no table. What a table is owed follows from two numbers, and its next append writes it down.
"""

from __future__ import annotations

from typing import Final

ALL_OUTAGES: Final = "coalesce((select ms from outages), 0)"
"""All outages since the store was made, in milliseconds."""
ADD_OUTAGE: Final = """insert into outages (no, ms) values (1, $1)
    on conflict (no) do update set ms = outages.ms + excluded.ms"""
OWED_OF: Final = (
    f"case when {{0}}.deadline is null then 0 else {{0}}.owed + {ALL_OUTAGES} - {{0}}.credited end"
)
"""What the clocks of a row of tables are owed: `owed`, and every outage since `credited` was written."""
OWED: Final = OWED_OF.format("tables")
