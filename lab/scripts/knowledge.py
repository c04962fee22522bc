"""The page of what is known (`docs/knowledge.md`), from the solver and measurements.

    python -m lab.scripts.knowledge             write page and pictures: solved again, old measurements
    python -m lab.scripts.knowledge --check     fail where one of them is not what this makes
    python -m lab.scripts.knowledge --measure missing    first play games that are not kept (or `all` again)

Nothing on the page is typed in: sentences are here, every number comes from the solver or from
`docs/measured.json`, which holds the command, the machine and the date of every measurement.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from facedown.bots.house import house_of
from facedown.core import registry
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.course import Spot
from facedown.games.ecard.solve.round import round_table
from facedown.games.ecard.solve.solution import Solution, solve
from lab.scripts.knowledge_measured import (
    MEASURED,
    ROOT,
    SAFETY,
    command_and_machine,
    deck_commands,
    decks,
    duels,
    measure,
    measured,
    read_measured,
    safety,
    table,
)
from lab.scripts.knowledge_plots import Line, line_plot

DOCS: Final = ROOT / "docs"
PAGE: Final = DOCS / "knowledge.md"
PICTURES: Final = DOCS / "pictures"
MADE_BY: Final = "python -m lab.scripts.knowledge"


def percent(share: float) -> str:
    """A share as the page shows it."""
    return f"{100 * share:.2f} %"


# --- E-Card, exact ---------------------------------------------------------------------------------------


def presets() -> list[Solution]:
    """Every preset, solved."""
    return [solve(ECardRules.of(preset.name)) for preset in ECardRules.presets]


def values() -> str:
    """The value of every preset, and how well it is proven."""
    rows = [
        (
            f"`{solution.rules}`",
            *(percent(float(x)) for x in (solution.value, solution.win, solution.draw, solution.lose)),
            str(len(list(solution.spots()))),
            "fractions" if solution.exact else "60 digits and more",
            f"{max(0.0, solution.exploitability):.0e}" if solution.exploitability > 0 else "0",
        )
        for solution in presets()
    ]
    heads = ("rules", "value", "win", "draw", "lose", "starts of rounds", "numbers", "exploitability")
    return table(heads, rows)


def openings() -> str:
    """The mixes of the first round."""
    rows = []
    for solution in presets():
        stake = min(solution.stakes(solution.course.start)) if solution.course.named else 1
        emperor = solution.special(solution.course.start, stake, "E")
        slave = solution.special(solution.course.start, stake, "S")
        name = f"`{solution.rules}`" + (f", stake {stake}" if solution.course.named else "")
        rows += [(name, "Emperor side", *_padded(emperor)), ("", "Slave side", *_padded(slave))]
    return table(("rules", "side", *(f"play {number}" for number in range(1, 6))), rows)


def _padded(mix: Sequence[Any]) -> list[str]:
    shown = [percent(float(each)) for each in mix]
    return shown + ["–"] * (5 - len(shown))


def rounds() -> str:
    """One round for itself, by how many plays it has and what the Slave's win pays."""
    rows = []
    for plays in range(1, 6):
        for pays in (1, 5):
            found = round_table(plays, slave_pays=pays)
            ends = (found.emperor_wins, found.slave_wins, found.undecided)
            rows.append([str(each) for each in (plays, pays, found.value, *ends, found.hazards[0])])
    heads = ("plays", "a Slave win pays", "value to the Emperor side", "Emperor side wins", "Slave side wins")
    return table((*heads, "nobody wins", "special card in the first play"), rows)


def prices() -> str:
    """What the Slave's price does to a round for itself, by its plays, and to whole games."""
    asked = (1, 2, 3, 4, 5, 6, 10, 100)
    rows = [
        [f"a round of {plays}", *(str(round_table(plays, slave_pays=pays).value) for pays in asked)]
        for plays in range(1, 6)
    ]
    rows += [
        [
            f"`{name}`",
            *(percent(float(solve(ECardRules.read(f"{name}(slave_pays={pays})")).value)) for pays in asked),
        ]
        for name in ("classic", "short")
    ]
    return table(("a Slave win pays", *map(str, asked)), rows)


READINGS: Final = (
    ("E6", "classic", "classic(plays=1)"),
    ("E6", "classic", "classic(plays=2)"),
    ("E6", "classic", "classic(plays=4)"),
    ("E6", "classic", "classic(plays=5)"),
    ("E7", "classic", "classic(placing=together)"),
    ("E10", "classic", "classic(slave_pays=1)"),
    ("E11", "classic", "classic(victory=rounds)"),
    ("E12", "classic", "classic(tie=extra)"),
    ("E12", "classic", "classic(tie=pair)"),
    ("E10", "decisive", "decisive(slave_pays=5)"),
    ("E11", "decisive", "decisive(slave_pays=5,victory=winnings)"),
    ("E12", "decisive", "decisive(tie=draw)"),
    ("E12", "decisive", "decisive(tie=pair)"),
)
"""What people read differently: the rule, a preset, and the other reading."""


def readings() -> str:
    """Every disputed reading, solved, beside the preset that it differs from."""
    rows = []
    for rule, preset, text in READINGS:
        usual, other = (solve(ECardRules.read(each)) for each in (preset, text))
        rows.append(
            (
                rule,
                f"`{text}`",
                *(percent(float(each)) for each in (other.value, other.draw)),
                percent(float(usual.value)),
            )
        )
    return table(("rule", "this reading", "value", "drawn", "value of the preset"), rows)


def leads(solution: Solution) -> str:
    """What a lead is worth at the start of a round, by round."""
    starts = range(1, solution.rules.rounds + 1, solution.rules.group)
    shown = range(-10, 11, 2)
    known = set(solution.spots())
    rows = [
        (
            str(number),
            *(
                percent(float(solution.answers.prospect(Spot(number, lead)).value))
                if Spot(number, lead) in known
                else "–"
                for lead in shown
            ),
        )
        for number in starts
    ]
    return table(("round", *(f"{lead:+d}" if lead else "0" for lead in shown)), rows)


def lead_picture(solution: Solution) -> str:
    """The value over the lead, a line for the first round of each group of rounds."""
    lines = []
    for number in range(1 + solution.rules.group, solution.rules.rounds + 1, solution.rules.group):
        here = sorted(spot for spot in solution.spots() if spot.round == number)
        points = [(spot.lead, float(solution.answers.prospect(spot).value)) for spot in here]
        lines.append(Line(f"round {number}", points))
    return line_plot(
        f"{solution.rules}: value over the lead of the first Emperor side", lines, "lead", "value"
    )


def round_picture() -> str:
    """The value at an equal score over the rounds, a line for each preset."""
    lines = []
    for solution in presets():
        known = set(solution.spots())
        spots = [Spot(number, 0) for number in range(1, solution.rules.rounds + 1)]
        points = [
            (spot.round, float(solution.answers.prospect(spot).value)) for spot in spots if spot in known
        ]
        lines.append(Line(str(solution.rules), points))
    return line_plot("Equal score: value to the first Emperor side", lines, "round", "value")


_METHODS: Final = {
    "known": "RNR, known",
    "restricted": "RNR, seen",
    "biased": "DBR",
    "reader": "reader",
    "sage": "sage",
}
"""The curves of safe exploitation."""


def safety_pictures(kept: dict[str, Any]) -> dict[str, str]:
    """What each method wins over what it risks, a picture for each habit."""
    found = {}
    for name, curves in kept[SAFETY]["result"]["habits"].items():
        lines = [
            Line(title, sorted((risk, 0.5 + gain / 100) for _, gain, risk in curves[method]), marked=True)
            for method, title in _METHODS.items()
        ]
        title = f"Against {name}: share of games won, by what is risked"
        found[f"knowledge-safety-{name}.svg"] = line_plot(title, lines, "risked, in points of percent", "won")
    return found


def exchange_picture(kept: dict[str, Any]) -> str:
    """How often a card is exchanged with one card each from the whole deck, by its value."""
    lines = [
        Line("Ace rules" if deck["ace"] else "plain", list(enumerate(deck["exchanged"], 1)), marked=True)
        for deck in kept["decks_small"]["result"]
        if len(deck.get("exchanged", ())) == 13
    ]
    return line_plot("One card each: how often it is exchanged, by its value", lines, "value", "share")


def pictures(kept: dict[str, Any]) -> dict[str, str]:
    """The pictures by the names of their files."""
    return {
        **safety_pictures(kept),
        "knowledge-exchange.svg": exchange_picture(kept),
        "knowledge-leads.svg": lead_picture(solve(ECardRules.of("classic"))),
        "knowledge-rounds.svg": round_picture(),
    }


# --- the page --------------------------------------------------------------------------------------------


def house(game: str) -> str:
    """The characters of a game, and what reading each is worth."""
    characters = house_of(game)
    prices = [
        f"{100 * each.price:.1f}" + (f" ± {100 * each.error:.1f} %" if each.error else " %")
        for each in characters
    ]
    return table([f"`{each.bot.name}`" for each in characters], [prices])


PROSE: Final = """\
# What is known about the games

Made by `{made_by}` from the solver, and from measurements that are kept with their command, machine
and date. No number on this page was typed in; a test compares it with what the command makes.

## {ecard}, exactly

Every rule set of it is solved: backward induction over the starts of rounds, each round in closed form.
`value` is P(win) + P(draw)/2 of the seat that is on the Emperor side first. Exploitability is what best
answers of both seats, together, gain on the mixes: the proof that nothing is missing.

{values}

How often the special card comes in the first round, if it is still held:

{openings}

### One round for itself

Fractions, in units that the loser pays to the winner; the chance of the special card is the same for both
sides.

{rounds}

### Which price for the Slave is fair?

Value to the Emperor side of a round for itself, 0 where it is fair; and the value of whole games, where half
is fair:

{prices}

In a round that is always decided (five plays), each side's mix is the same at any price, and one price is
fair. Where the special cards may stay in hand, no price makes a round fair: the dearer the Slave, the more
rarely both sides dare. A whole game goes by who is ahead at its end, so a higher price soon changes nothing.

### What a lead is worth in `{classic}`

The value when a round begins, by the lead of the seat that was on the Emperor side first. Only the lead
counts, not how high the scores are.

{leads}

![Value over the lead](pictures/knowledge-leads.svg)

At an equal score the value moves with the sides that are still to come:

![Value at an equal score](pictures/knowledge-rounds.svg)

### Readings that people dispute

Each differs from a preset in one point, and is solved like it. Who places first (E7) changes nothing at all.

{readings}

## {ecard}, measured

Machines against each other: games won, a draw counting half. The exact solution cannot be beaten in
expectation; the machines that read win more against those who can be read.

{ecard_measured}

## Safe exploitation

Who reads an opponent can be read. In a game of four rounds (`{safety_rules}`, {safety_positions} positions)
every plan can be laid out whole, so that both sides of this are exact: what a plan wins on a habit, and how
much less than the equilibrium it is sure of. Both are points of percent of games, as the mean of both
seats; the equilibrium wins at least half, and risks nothing. The shipped `reader` and `sage`, after that many
games remembered in which the habit met the exact solution: won more than half / risked at most.

{safety}

`reader` risks everything once it has read enough: an opponent that knows its notes knows each of its cards.
`sage` risks its outlay and nothing else, as was claimed for it; that buys little. (In these four rounds; the
search on the page of [attacks](exploit.md) finds 90 % against `reader` in six.)

Beside the literature, after {safety_remembered} remembered games. *RNR, known* is the restricted Nash
response (Johanson, Zinkevich and Bowling, 2007) to the habit itself, with more and more weight on it: the
most that can be won at such a risk. *RNR, seen* answers to what `reader` counted, and *DBR*, the
data-biased response (Johanson and Bowling, 2009), trusts these counts the more the more of them there are.
`reader` is shown with other thresholds (`SURE`), and `sage` with other outlays.

{safety_plots}

{safety_command}; all points are in `docs/measured.json`. Safe subgame search was not computed: these games
are small enough to do without.

## {davenport}, measured

The whole game is not solved. Machines against each other at two seats, without and with the rules for Aces:

{davenport_measured}

One `expert` against a field of `careful`:

{duels}

[The page on `expert` and `steady`](expert.md) says how they were made and what can be gained on each: little
on `expert` at two seats and more at larger tables, next to nothing on `steady`, which learned against itself
alone.

### Exact answers on smaller decks

The whole game is out of reach; the same game with fewer cards is not. Suits mean nothing to the play, so
hands are counted by rank, and each deck here is large enough that its stock lasts: then both seats are
alike, and the value is 0. An information set is what a seat can tell apart, with something left to
choose; a meeting is a pair of picks that can end the game, a number in the matrix of the sequence form. CFR+
solves it until next to nothing is left. Exploitability is what a best response still gains on the solution;
the gains on the machines are exact in the same way. Both are points of percent of games won, a draw counting
half. A playoff, being fair, counts as a draw.

{decks}

{deck_commands}. Where there is no figure, the machine would have had to be asked in more than 250,000
information sets; `expert`, which has weights of its own for two seats since 2026-11-19, was asked on the
first five decks alone.

![One card each: how often it is exchanged](pictures/knowledge-exchange.svg)

The second, third and sixth decks are the whole one, with one or two cards for each seat instead of five; the
machines know that one. On the others they count on cards that do not exist, so that these say less about
them. The more cards are held, the more there is to gain on each machine: with two cards and more `steady` is
the safest, but far from exact.

## The houses

What each character's tell is worth to the one who knows it; the tells themselves are not on this page.
{ecard}: what the best answer wins under `short`, a draw counting half, computed (`facedown bots ecard`).

{ecard_house}

{davenport}: what a reader that knows the character's whole policy wins at tables for two under `davenport`,
measured with 10,000 games each (`python bench/house.py`, 2026-11-18, on 16 cores, Python 3.12.3). A better
reader would win more. `ash` has no tell and plays as `steady`; the figure is what the best of two networks
won that were [trained against it alone](expert.md#what-a-best-response-gains), 100,000 games, 2026-11-18.

{davenport_house}

## Methods and errors

- Exact: fractions where they stay small; elsewhere decimals with as many digits as it takes to tell all
  states apart that differ, and a residue modulo a prime that tells which of them are equal. No tolerance
  decides anything.
- A round of {ecard} is a choice of times: each side decides at which play its special card comes, if at all.
  If both come together the Slave wins; if one comes alone, the Emperor side; if neither, the round is not
  won. With the worth of these three ends given, the round has a closed form: at each play, the chance at
  which the other side gains nothing by choosing (`games/ecard/solve/round.py`).
- The game goes from the last round to the first: the worth of an end is the value of the state after it
  (`backward.py`). Only the lead counts, or the purses. Pairs of extra rounds are a quadratic equation.
- The proof is independent: best responses of both seats against the mixes (`best_response.py`), and CFR+
  and the sequence form on the game laid out whole, for short games (`tests/solve`).
- Small decks (`lab/scripts/decks.py`): where two picks meet and may end the game, the matrix of the sequence
  form has an entry: the chance of the cards times what is won (Koller, Megiddo and von Stengel, 1996). CFR+
  (Tammelin, 2014) plays both seats in turn, with linear weights; the average is the solution. A machine is
  asked in every situation that its own picks lead to. Tests compare all this with the whole tree of the real
  game.
- Measured: every pairing plays the number of games in its command, the seats changing; after ± stands half
  of the 95 % interval. The same seed gives the same games on any machine; runs of 1,000 games and more are
  played as arrays, in which `careful`, `steady` and `expert` may round differently from one machine to the
  next.
- A difference that is smaller than its error says nothing about which of the two machines is better.
- `facedown solve --explore` and the explorer in the browser show every state behind these tables;
  `facedown solve` has the numbers for programs.
- To cite this, use `CITATION.cff` in the root of the sources, with the version that made your numbers.
"""
"""The page; every number of it is filled in."""


def page(kept: dict[str, Any]) -> str:
    """The whole page."""
    classic = solve(ECardRules.of("classic"))
    return PROSE.format(
        made_by=MADE_BY,
        ecard=registry.get("ecard").meta.title,
        davenport=registry.get("davenport").meta.title,
        values=values(),
        openings=openings(),
        rounds=rounds(),
        prices=prices(),
        classic=classic.rules,
        leads=leads(classic),
        readings=readings(),
        ecard_measured="\n\n".join((*measured("ecard", kept), *measured("ecard_decisive", kept))),
        davenport_measured="\n\n".join((*measured("davenport", kept), *measured("davenport_aces", kept))),
        duels=duels(kept),
        decks=decks(kept),
        safety=safety(kept),
        safety_rules=kept[SAFETY]["result"]["rules"],
        safety_positions=f"{kept[SAFETY]['result']['positions']:,}",
        safety_remembered=kept[SAFETY]["result"]["remembered"],
        safety_plots="\n\n".join(
            f"![What is won on {name} over what is risked](pictures/knowledge-safety-{name}.svg)"
            for name in kept[SAFETY]["result"]["habits"]
        ),
        safety_command=command_and_machine(SAFETY, kept),
        deck_commands=deck_commands(kept),
        ecard_house=house("ecard"),
        davenport_house=house("davenport"),
    )


def keep_figures_together(text: str) -> str:
    """The text with no-break spaces in its figures."""
    return re.sub(r"(?<=\d) (?=[±%])|(?<=±) (?=\d)", "\N{NO-BREAK SPACE}", text)


def made(kept: dict[str, Any]) -> dict[Path, str]:
    """Every file that this command makes."""
    drawn = {PICTURES / name: text for name, text in pictures(kept).items()}
    return {PAGE: keep_figures_together(page(kept)), **drawn}


def main() -> int:
    """Write the page, or report what is stale."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="fail where a file is stale")
    parser.add_argument(
        "--measure", choices=("all", "missing"), help="first play all measured games again, or those not kept"
    )
    asked = parser.parse_args()
    if asked.measure:
        for kept in measure({} if asked.measure == "all" else read_measured()):
            MEASURED.write_text(f"{json.dumps(kept, indent=1, sort_keys=True)}\n", encoding="utf-8")
    files = made(read_measured())
    stale = [
        path for path, text in files.items() if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path in stale:
        if asked.check:
            print(f"{path.relative_to(ROOT)} is stale")
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_text(files[path], encoding="utf-8")
    return int(asked.check and bool(stale))


if __name__ == "__main__":
    raise SystemExit(main())
