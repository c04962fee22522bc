"""Client for tables on a server, for programs and the terminal, over the protocol that browsers speak: REST
calls (`rest`), a live connection to a table (`connection`), decoding into a game's own views (`decode`).

>>> Address.read("https://cards.example/i/K7Q2MX")
Address(server='https://cards.example', name='K7Q2MX')
"""

from facedown.client.connection import RemoteTable, SeatKey
from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.rest import Address, RestClient

__all__ = ["Address", "RemoteTable", "RestClient", "SeatKey", "ServerLost", "ServerRefused"]
