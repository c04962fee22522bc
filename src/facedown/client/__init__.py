"""Tables on a server, for programs and for the terminal: the calls (`server`), a table that stays connected
(`table`), and what it shows as a game's own views (`views`). Speaks the protocol that browsers speak.

>>> Address.read("https://cards.example/i/K7Q2MX")
Address(server='https://cards.example', name='K7Q2MX')
"""

from facedown.client.connection import Key, RemoteTable
from facedown.client.errors import Lost, Refused
from facedown.client.rest import Address, Server

__all__ = ["Address", "Key", "Lost", "Refused", "RemoteTable", "Server"]
