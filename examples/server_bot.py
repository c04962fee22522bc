"""A bot that plays on a server: `python server_bot.py http://127.0.0.1:8765 [GAME]`, or an invitation.

With the address of a server it sets up a table against a machine; with an invitation it takes a free seat.
"""

import sys

import facedown


class Calm(facedown.Bot):
    """Takes any of its legal picks, all equally often."""

    def pick(self, view, legal, stream):
        """One of the legal picks."""
        return legal[stream.below(len(legal))]


address, *more = sys.argv[1:]
game = more[0] if more else None
with facedown.connect(address, name="Calm", game=game) as table:
    print(f"{table.game.meta.title}, seat {table.seat}: {table.address}", flush=True)
    outcome = table.play(Calm)
    print(outcome)
    facedown.save(table.record(), f"{table.id}.json")
    print(all(finding.holds is not False for finding in facedown.verify(f"{table.id}.json")))
