"""The reference page of each game: rules by their ids, sources, values, the method, data, a citation.

Owns `docs/ecard.md`, `docs/davenport.md` and the tables in `docs/data`; `lab.scripts.knowledge` writes them.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from facedown.core import registry
from facedown.core.text.rule_page import fill_in, sentences
from facedown.games.ecard.rules import ECardRules
from facedown.games.ecard.solve.solution import solve
from lab.scripts.knowledge_measured import DECKS, ROOT, SAFETY, deck_commands, decks, table

DATA: Final = ROOT / "docs" / "data"
CITATION: Final = ROOT.parent / "CITATION.cff"

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


def rules_by_id(game: str) -> str:
    """Every rule of the game itself, by its id; the numbers are those of its usual rule set."""
    rules = registry.get(game).rules.of()
    found = sentences(fill_in(registry.page(game), rules))
    return "\n".join(f"- **{name}** {words}" for name, words in found.items() if name[0] != "R")


def _share(number: Any) -> str:
    return f"{100 * float(number):.2f} %"


def readings() -> str:
    """Every disputed reading, solved, beside the preset that it differs from."""
    rows = []
    for rule, preset, text in READINGS:
        usual, other = (solve(ECardRules.read(each)) for each in (preset, text))
        rows.append(
            (rule, f"`{text}`", *(_share(each) for each in (other.value, other.draw)), _share(usual.value))
        )
    return table(("rule", "this reading", "value", "drawn", "value of the preset"), rows)


def starts_of_rounds() -> str:
    """Every start of a round of every preset: values, and how likely the special card is at each play."""
    heads = ["rules", "round", "lead", "value", "win", "draw", "lose"]
    heads += [f"{side}_{play}" for side in ("emperor", "slave") for play in range(1, 6)]
    rows = []
    for preset in ECardRules.presets:
        solution = solve(ECardRules.of(preset.name))
        for spot in sorted(solution.spots()):
            found = solution.answers.prospect(spot)
            mixes: list[str] = []
            for side in ("E", "S"):
                mix = [] if solution.course.naming(spot) else solution.special(spot, 1, side)
                mixes += [*map(_number, mix), *[""] * (5 - len(mix))]
            values = map(_number, (found.value, found.win, found.draw, found.lose))
            rows.append([str(solution.rules), str(spot.round), str(spot.lead), *values, *mixes])
    return _csv(heads, rows)


def deck_rows(kept: dict[str, Any]) -> str:
    """The small decks of Davenport."""
    found = [each for name in DECKS for each in kept[name]["result"]]
    heads = [
        *("ranks", "suits", "each", "rules", "situations", "sequences", "meetings", "rounds"),
        *("exploitability", "seconds_laid_out", "seconds_learnt"),
    ]
    machines = sorted({name for each in found for name in each["machines"]})
    rows = [
        [str(each[head]) for head in heads]
        + [
            str(each["machines"].get(name, {}).get(what, ""))
            for name in machines
            for what in ("gain", "loses")
        ]
        for each in found
    ]
    return _csv([*heads, *(f"{name}_{what}" for name in machines for what in ("gain", "loses"))], rows)


def safety_rows(kept: dict[str, Any]) -> str:
    """Every point of the curves of safe exploitation."""
    rows = [
        [habit, method, *map(str, point)]
        for habit, curves in kept[SAFETY]["result"]["habits"].items()
        for method, points in curves.items()
        for point in points
    ]
    return _csv(["habit", "method", "setting", "gain", "risk"], rows)


def _number(share: Any) -> str:
    return f"{float(share):.10g}"


def _csv(heads: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(heads)
    writer.writerows(rows)
    return text.getvalue()


ECARD: Final = """\
# E-Card: the reference

Made by `python -m lab.scripts.knowledge`: rules by their ids, where the game comes from, its exact values,
how they were found, and the data. [What is known](knowledge.md) has the tables behind it; `facedown solve
ecard --explore` every single state.

## Rules

As `classic` has them; [the page of the rules](../../src/facedown/games/ecard/page.md) has the options, too.

{rules}

## History and sources

- The game is from Nobuyuki Fukumoto's manga *Kaiji* (カイジ), which names its three cards: emperor
  (皇帝, kōtei), citizen (市民, shimin), slave (奴隷, dorei). [Credits](../../docs/credits.md) says
  what is taken from it: the rules alone.
- The story's table plays twelve rounds in groups of three and pays the Slave five times (E8, E10), as
  `classic` does. How long a round lasts (E6), what wins (E11) and what happens at the end (E12) are read in
  several ways; each is an option, and has an exact value below.
- Two seats that pick at once, of whom one pays what the other gains, play a matrix game (J. von Neumann,
  *Zur Theorie der Gesellschaftsspiele*, 1928).

## Exact values

`value` is P(win) + P(draw)/2 of the seat that is on the Emperor side first.

{values}

![Value over the lead](pictures/knowledge-leads.svg)

## Readings that people dispute

Each differs from a preset in one point, and is solved like it. Who places first (E7) changes nothing at all.

{readings}

## Method

1. A round is a choice of times: each side decides at which play its special card comes, if at all. If both
   come together the Slave wins; if one comes alone, the Emperor side; if neither, the round is not won.
   With the worth of these three ends given, the round has a closed form: at each play, the chance at which
   the other side gains nothing by choosing (`games/ecard/solve/round.py`).
2. The game goes from the last round to the first: the worth of an end is the value of the state after it
   (`backward.py`). Only the lead counts, or the purses. Pairs of extra rounds are a quadratic equation.
3. Numbers are fractions as long as they are short, then decimals of 60 digits and more with a residue that
   tells which are equal. No tolerance decides anything.
4. The proof is independent: best responses of both seats against the mixes (`best_response.py`), and CFR+
   and the sequence form on the game laid out whole, for short games (`tests/solve`).

## Data

- [ecard.csv](data/ecard.csv): every start of a round of every preset, {states} in all. `lead` is by how
  much the seat that was on the Emperor side first is ahead; `emperor_1` is how likely the Emperor is in the
  first play if it is still held. Mixes are left out where a stake comes first.
- [ecard-safety.csv](data/ecard-safety.csv): the curves of [safe
  exploitation](knowledge.md#safe-exploitation).
- `facedown solve ecard --json` has fractions, `facedown solve ecard --explore --json` any position.

## Citation

> {citation}
"""

DAVENPORT: Final = """\
# Davenport: the reference

Made by `python -m lab.scripts.knowledge`: rules by their ids, where the game comes from, what is known
exactly and how it was found, and the data. [What is known](knowledge.md#davenport-measured) has what was
measured.

## Rules

As `davenport` has them; [the page of the rules](../../src/facedown/games/davenport/page.md) has the options,
too.

{rules}

## History and sources

- The game is played as TheVirtuoid wrote it down in *Fun With JavaScript: The Davenport Card Game*.
- The sources leave open, or say differently: how many cards a playoff has, three or five (D16,
  `playoff_cards`); whether it eliminates the lowest card or counts wins (D17, D19, `playoff`); what happens
  where every seat shows an Ace (D14). [The rules](../../src/facedown/games/davenport/page.md) say how
  they are read here.

## What is known exactly

The whole game is not solved. At two seats it is fair under every reading as long as the stock lasts: both
seats are dealt and draw alike, and a seat that goes out alone or wins a fair playoff is as often the one as
the other. With fewer cards the equilibrium itself is known:

{decks}

{deck_commands}.

With one card each, cards up to 8 are exchanged, and higher ones are played; with Ace rules the Ace is
played, too:

![One card each: how often it is exchanged](pictures/knowledge-exchange.svg)

## Method

1. Cards of one rank are alike (D1), so a hand is a count of ranks. A situation is what a seat held, picked,
   drew and saw; one table of them serves both seats (`scripts/decks.py`).
2. Where two picks meet and may end the game, the matrix of the sequence form has an entry: the chance of
   the cards times what is won (D. Koller, N. Megiddo, B. von Stengel, *Efficient computation of equilibria
   for extensive two-person games*, 1996). A playoff counts as a draw.
3. CFR+ (O. Tammelin, *Solving large imperfect information games using CFR+*, 2014) on both seats in turn,
   with linear weights; the average is the solution, and an exact best response says what is left to gain on
   it (`scripts/deck_plans.py`).
4. A machine is asked in every situation that its own picks lead to; the best response to its answers is
   exact.
5. Tests compare all this with the whole tree of the real game on decks small enough for it.

`steady` and `expert`, the strong machines, are networks: [their page](expert.md) has the recipe, and what was
gained on them.

## Data

- [davenport-decks.csv](data/davenport-decks.csv): the decks above, with all sizes and times; gains and
  losses in games won less games lost.
- `docs/measured.json` in the sources has the learning curves, and everything that was measured.

## Citation

> {citation}
"""


def citation() -> str:
    """How to cite, in one sentence, from the citation file."""
    text = CITATION.read_text(encoding="utf-8")

    def entry(name: str) -> str:
        found = re.search(rf'{name}: "?(.+?)"?$', text, re.MULTILINE)
        assert found, f"the citation file has a {name}"
        return found[1]

    return (
        f"{entry('- name')}. *{entry('title')}*. Software, {entry('license')} licence. With the version used."
    )


def references(kept: dict[str, Any], values: str) -> dict[Path, str]:
    """The pages and the data, by the paths of their files."""
    data = {
        DATA / "ecard.csv": starts_of_rounds(),
        DATA / "ecard-safety.csv": safety_rows(kept),
        DATA / "davenport-decks.csv": deck_rows(kept),
    }
    states = data[DATA / "ecard.csv"].count("\n") - 1
    ecard = ECARD.format(
        rules=rules_by_id("ecard"),
        values=values,
        readings=readings(),
        states=f"{states:,}",
        citation=citation(),
    )
    davenport = DAVENPORT.format(
        rules=rules_by_id("davenport"),
        decks=decks(kept),
        deck_commands=deck_commands(kept),
        citation=citation(),
    )
    return {DATA.parent / "ecard.md": ecard, DATA.parent / "davenport.md": davenport, **data}
