"""Client for tables on a server, for programs and the terminal, over the protocol that browsers speak: REST
calls (`rest`), a table with its live connection (`table`), decoding into a game's own views (`decode`).

>>> Address.read("https://cards.example/i/K7Q2MX")
Address(server='https://cards.example', name='K7Q2MX')
"""

from facedown.client.blocking import BlockingTable
from facedown.client.errors import ServerLost, ServerRefused
from facedown.client.rest import Address, RestClient, SeatKey
from facedown.client.table import ServerTable

__all__ = ["Address", "BlockingTable", "RestClient", "SeatKey", "ServerLost", "ServerRefused", "ServerTable"]
