"""A program that plays: `python bot.py http://127.0.0.1:8765 [INVITATION]`. Needs nothing but Python.

With an invitation it takes the first free seat; without one it sets up a table against machines.
"""

import hashlib
import json
import random
import secrets
import sys
from urllib.request import Request, urlopen


def call(method, path, body=None):
    """One call of the API; the answer, to be read line by line or whole."""
    data = None if body is None else json.dumps(body).encode()
    return urlopen(Request(f"{server}/api/v1{path}", data, headers, method=method), timeout=60)


def ask(method, path, body=None):
    """One call of the API, and its whole answer."""
    with call(method, path, body) as answer:
        return json.load(answer)


def seal(tag, *parts):
    """SHA-256 over every part behind its length: sent before the thing itself."""
    framed = (len(part).to_bytes(4, "big") + part for part in (tag.encode(), table.encode(), *parts))
    return hashlib.sha256(b"".join(framed)).hexdigest()


def number(n):
    """A number as a part of a seal."""
    return n.to_bytes(4, "big")


def do(what, **more):
    """Do something at the table."""
    return ask("POST", f"/tables/{table}/commands", {"id": secrets.token_hex(16), "do": what, **more})


server, invitation = sys.argv[1].rstrip("/"), (sys.argv[2] if len(sys.argv) > 2 else "")
headers = {"Content-Type": "application/json"}
me = ask("POST", "/session", {"kind": "program", "name": "Calm"})
headers["Authorization"] = f"Bearer {me['token']}"

if invitation:
    place = ask("GET", f"/invites/{invitation}")
else:
    game = ask("GET", "/games")[-1]
    machine = {"kind": "machine", "machine": game["usual_machine"]}
    seats = [{"kind": "person"}, *[machine] * (game["least_seats"] - 1)]
    place = ask("POST", "/tables", {"game": game["name"], "seats": seats})
table = place["table"]
seat = next(each["seat"] for each in place["seats"] if each["kind"] == "person" and not each["name"])

entropy = secrets.token_bytes(32)  # what this seat throws into the deal: promised now, opened later
promise = {"seat": seat, "commit": seal("facedown/2/entropy", number(seat), entropy)}
ask("POST", f"/tables/{table}/join", {**promise, **({"invite": invitation} if invitation else {})})
while (snap := ask("GET", f"/tables/{table}"))["table"]["state"] == "open":
    ask("GET", f"/tables/{table}/events?after={snap['v']}&wait=20")
do("open", entropy=entropy.hex())

with call("GET", "/stream") as lines:
    for message in map(json.loads, filter(bytes.strip, lines)):
        if message["t"] == "over":
            break
        turns = (
            message["turns"] if message["t"] == "state" else [message]
        )  # the first line is all that is open
        for turn in (each for each in turns if each["t"] == "turn"):
            now = ask("GET", f"/tables/{table}")
            pick, head = random.choice(now["legal"]), bytes.fromhex(now["table"]["turn"]["head"])
            decision, nonce = turn["decision"], secrets.token_bytes(32)
            commit = seal("facedown/2/pick", number(decision), number(seat), head, pick.encode(), nonce)
            do("pick", decision=decision, pick=pick, commit=commit, nonce=nonce.hex())

print(ask("GET", f"/tables/{table}")["table"]["result"])
