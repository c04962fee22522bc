"""Names the odd cases that occur in one game, from its record and replay alone: for choosing fixtures, and as
evidence that the generated games reach them. Plays nothing."""

from __future__ import annotations

from .shapes import Json

ECARD_CASES = [
    "ecard: fourth play",
    "ecard: fifth play",
    "ecard: round without a winner after a drawn third play (plays=3)",
    "ecard: round without a winner, plays=1, 2 or 4",
    "ecard: drawn game",
    "ecard: decided by the extra round (tie=extra)",
    "ecard: decided by the first pair (tie=pair)",
    "ecard: several pairs (tie=pair)",
    "ecard: extra rounds with named stakes",
    "ecard: last group incomplete before extra rounds",
    "ecard: ruin",
    "ecard: ruin in an extra round",
    "ecard: paid less than the stake, the purse being too small",
    "ecard: stake limited by the purse",
    "ecard: first Emperor drawn",
    "ecard: resignation",
    "ecard: resignation while a stake is to be named",
    "ecard: resignation of the Emperor side while a stake is to be named",
    "ecard: resignation in an extra round",
]
DAVENPORT_CASES = [
    "davenport: reshuffled stock",
    "davenport: reshuffled stock in a playoff",
    "davenport: exchange from an empty stock",
    "davenport: exchange with stock and discards both empty",
    "davenport: all-Ace round (ace=on)",
    "davenport: all-Ace round (ace=off)",
    "davenport: Ace beats faces (D11)",
    "davenport: several highest faces draw two (D12)",
    "davenport: losing Aces draw two (D13)",
    "davenport: skipped draws",
    "davenport: playoff of 2",
    "davenport: playoff of 3",
    "davenport: playoff of 4 or more",
    "davenport: playoff some share the lowest",
    "davenport: playoff everybody shares the lowest",
    "davenport: playoff with one card each",
    "davenport: playoff with five cards each",
    "davenport: playoff with elimination",
    "davenport: playoff with wins",
    "davenport: playoff wins reached together",
    "davenport: playoff wins reached together, some leave",
    "davenport: playoff wins reached together, several further rounds",
    "davenport: playoff decided at the first reach",
    "davenport: exchange in a playoff",
    "davenport: resignation",
    "davenport: last seat left by resignations, 3 or more seats",
    "davenport: resignation in a playoff",
    "davenport: resignation in a playoff that goes on",
    "davenport: resignation ends a playoff",
    *[f"davenport: {seats} seats" for seats in range(2, 8)],
]


def option(rules: str, name: str, presets: dict[str, str], usual: str) -> str:
    """The value of one option in a canonical rules text."""
    preset, _, rest = rules.partition("(")
    for part in rest.rstrip(")").split(","):
        if part.startswith(name + "="):
            return part.partition("=")[2]
    return presets.get(preset, usual)


def odd_cases(record: Json, replay: Json) -> set[str]:
    """The odd cases of one game, as named above."""
    if record["game"] == "ecard":
        return {"ecard: " + case for case in _ecard_cases(record, replay)}
    return {"davenport: " + case for case in _davenport_cases(record, replay)}


def _ecard_cases(record: Json, replay: Json) -> set[str]:
    rules = record["rules"]
    plays = int(option(rules, "plays", {"classic": "3", "short": "3", "victories": "3"}, "5"))
    named = option(rules, "stakes", {"purse": "named"}, "fixed") == "named"
    rounds = int(option(rules, "rounds", {"short": "6"}, "12"))
    group = int(option(rules, "group", {}, "3"))
    max_stake = int(option(rules, "max_stake", {}, "10"))
    slave_pays = int(option(rules, "slave_pays", {"decisive": "1"}, "5"))
    purse = int(option(rules, "purse", {}, "30"))
    tie = option(rules, "tie", {"decisive": "extra", "purse": "pair"}, "draw")
    outcome, steps = replay["outcome"], replay["steps"]
    last = steps[-1]
    extra = last["round"] - rounds
    found = set()
    if record["chance"]:
        found.add("first Emperor drawn")
    if outcome["winner"] is None:
        found.add("drawn game")
    if outcome["termination"] == "ruin":
        found.add("ruin in an extra round" if extra > 0 else "ruin")
    if outcome["termination"] == "resignation":
        found.add("resignation")
        if extra > 0:
            found.add("resignation in an extra round")
        if last["stake"] is None:
            found.add("resignation while a stake is to be named")
            if record["picks"][-1][last["emperor"] - 1] == "resign":
                found.add("resignation of the Emperor side while a stake is to be named")
    if outcome["termination"] == "extra":
        if tie == "extra":
            found.add("decided by the extra round (tie=extra)")
        else:
            found.add("decided by the first pair (tie=pair)" if extra == 2 else "several pairs (tie=pair)")
    if extra > 0:
        if rounds % group:
            found.add("last group incomplete before extra rounds")
        if named:
            found.add("extra rounds with named stakes")
    before = [purse, purse]
    for step in steps:
        if step["kind"] == "play":
            if step["play"] == 4:
                found.add("fourth play")
            if step["play"] == 5:
                found.add("fifth play")
            if step["round_over"] and step["round_winner"] is None:
                found.add(
                    "round without a winner after a drawn third play (plays=3)"
                    if plays == 3
                    else "round without a winner, plays=1, 2 or 4"
                )
            if named and step["winner"] is not None:
                winner = step["winner"]
                due = step["stake"] * (1 if winner == step["emperor"] else slave_pays)
                if step["score"][winner - 1] - before[winner - 1] < due:
                    found.add("paid less than the stake, the purse being too small")
        if step["kind"] == "stake" and step["score"][2 - step["emperor"]] < max_stake:
            found.add("stake limited by the purse")
        before = step["score"]
    return found


def _davenport_cases(record: Json, replay: Json) -> set[str]:
    rules = record["rules"]
    ace = option(rules, "ace", {"aces": "on", "pointed": "on"}, "off") == "on"
    elimination = option(rules, "playoff", {"pointed": "wins"}, "elimination") == "elimination"
    target = int(option(rules, "playoff_wins", {}, "3"))
    cards = int(option(rules, "playoff_cards", {}, "3"))
    seats = len(record["seats"])
    outcome, steps = replay["outcome"], replay["steps"]
    found = {f"{seats} seats"}
    stock, discards = 52 - 5 * seats, 0
    hands = [5] * seats
    phase = "main"
    playing: set[int] = set(range(1, seats + 1))
    wins = [0] * (seats + 1)
    together_since = 0

    for step, row in zip(steps, record["picks"], strict=True):
        if step["phase"] != phase:
            phase = "playoff"
            playing = {seat for seat in playing if hands[seat - 1] == 0}
            stock, discards = 52 - cards * len(playing), 0
            if cards in (1, 5):
                found.add(f"playoff with {'one card' if cards == 1 else 'five cards'} each")
            number = len(playing)
            found.add(f"playoff of {number}" if number < 4 else "playoff of 4 or more")
            found.add("playoff with elimination" if elimination else "playoff with wins")
        hands = step["hands"]
        if step["kind"] == "resign":
            found.add("resignation")
            playing -= {row.index("resign") + 1}
            if phase == "playoff":
                found.add("resignation in a playoff")
                on = len(playing) > 1
                found.add("resignation in a playoff that goes on" if on else "resignation ends a playoff")
            stock, discards = step["stock"], step["discards"]
            continue

        ranks = {seat: step["shown"][seat - 1][0] for seat in sorted(playing)}
        exchanges = sum(step["exchanged"])
        draws = exchanges + sum(step["drew"])
        if draws > stock:
            found.add("reshuffled stock" if phase == "main" else "reshuffled stock in a playoff")
        if exchanges > stock:
            found.add("exchange from an empty stock")
            if stock == 0 and discards == 0:
                found.add("exchange with stock and discards both empty")
        if exchanges and phase == "playoff":
            found.add("exchange in a playoff")
        if set(ranks.values()) == {"A"} and phase == "main":
            found.add("all-Ace round (ace=on)" if ace else "all-Ace round (ace=off)")

        if phase == "main":
            highest = max(ranks.values(), key="A23456789TJQK".index)
            losers = [seat for seat in ranks if seat not in step["winners"]]
            due = len(losers)
            if ace and "A" in ranks.values() and highest in "JQK":
                found.add("Ace beats faces (D11)")
                extra = [seat for seat in losers if ranks[seat] == highest]
                due += len(extra)
                if len(extra) > 1:
                    found.add("several highest faces draw two (D12)")
            elif ace and "A" in ranks.values() and highest != "A":
                found.add("losing Aces draw two (D13)")
                due += sum(ranks[seat] == "A" for seat in losers)
            if sum(step["drew"]) < due:
                found.add("skipped draws")
        elif elimination:
            if not step["eliminated"]:
                who = "everybody shares" if len(set(ranks.values())) == 1 else "some share"
                found.add(f"playoff {who} the lowest")
        else:
            for seat in step["winners"]:
                wins[seat] += 1
            most = max(wins[seat] for seat in playing)
            if most == target:
                together = sum(wins[seat] == most for seat in playing)
                if together > 1:
                    together_since = step["round"]
                    found.add("playoff wins reached together")
                    if step["eliminated"]:
                        found.add("playoff wins reached together, some leave")
                else:
                    found.add("playoff decided at the first reach")
            elif together_since and step["round"] - together_since > 1:
                found.add("playoff wins reached together, several further rounds")
        playing -= set(step["eliminated"])
        stock, discards = step["stock"], step["discards"]

    if outcome["termination"] == "resignation" and seats > 2:
        found.add("last seat left by resignations, 3 or more seats")
    return found
