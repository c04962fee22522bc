"""The page `docs/a-million.md` and its pictures: prose here, every number from results and from the model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import fields
from itertools import takewhile
from math import log10
from pathlib import Path
from typing import Any, Final

from bench.results import RESULTS
from bench.scaling.carried import BACK_S, SLOW_S
from bench.scaling.model import CONNECTIONS, NETWORK, NOTIFY, Assumed, Need, Units, need, price, slowest_ms
from scripts.knowledge_measured import table
from scripts.knowledge_plots import Line, line_plot

_DOCS: Final = RESULTS.parent
_PAGE: Final = _DOCS / "a-million.md"
_PICTURES: Final = _DOCS / "pictures"
_LIMITS: Final = _PICTURES / "a-million-limits.svg"
_SOAK: Final = _PICTURES / "a-million-soak.svg"
_ANSWERS: Final = _PICTURES / "a-million-soak-answers.svg"
_POINTS: Final = 8
"""Of a line, for each power of ten."""
_DRAWN: Final = {
    "syncs of the disk": "syncs",
    NOTIFY: "NOTIFY",
    CONNECTIONS: "connections",
    "WAL": "WAL",
    NETWORK: "network",
}
"""As many as there are kinds of lines."""
_WORDS: Final = {
    "server_ms": "ms of a server's processor for a pick",
    "postgresql_ms": "ms of PostgreSQL's processors for a pick",
    "transactions": "transactions of PostgreSQL for a pick, those that only read among them",
    "syncs": "syncs of the log to the disk for a pick",
    "wal_bytes": "bytes of WAL for a pick",
    "network_bytes": "bytes to and from clients for a pick",
    "person_kb": "KB of a server's memory for a person at a table",
    "picks_per_game": "picks in a game of E-Card, of both seats",
    "game_bytes": "bytes of a finished game in PostgreSQL",
    "packed_bytes": "bytes of the same game, packed",
    "notifies_per_s": "commits that notify a second, with 16 listeners",
}
_ASSUMED: Final = {
    "pick_every_s": "seconds between two picks of a person",
    "busy": "of a processor, a disk or a network, used at most",
    "peak": "times the average of a day are there at the busiest time",
    "postgresql_cores": "processors of one machine for PostgreSQL",
    "postgresql_transactions_per_s": "transactions a second of one PostgreSQL",
    "postgresql_syncs_per_s": "syncs of the log a second of one PostgreSQL",
    "postgresql_wal_mb_per_s": "MB of WAL a second of one PostgreSQL",
    "postgresql_connections": "connections to one PostgreSQL",
    "members": "machines of a cluster",
    "home_connections": "connections to the PostgreSQL of the home cluster",
    "connections_per_process": "connections of a server process to each cluster",
    "few_connections_per_process": "the same with `store_connections=4`",
    "hints_per_process_s": "commits that notify a second, of a server process",
    "proxy_gbit_per_s": "Gbit a second of one proxy",
    "unpacked_days": "days until finished games are packed",
    "kept_days": "days that finished games are kept",
    "core_month": "for a processor and month",
    "memory_gb_month": "for a GB of memory and month",
    "disk_gb_month": "for a GB of disk and month",
    "traffic_gb": "for a GB of traffic",
}

_HELD: Final = {
    "memory_mb": "{:.0f} MB held",
    "python_blocks": "blocks",
    "files": "{:.0f} files",
    "tasks": "{:.0f} tasks",
    "wal_mb": "{:.0f} MB WAL",
}
"""Of the first server and of both PostgreSQL clusters, in a soak."""
_MET: Final = {"p50_ms": "{:.0f} ms p50", "p99_ms": "{:.0f} ms p99", "load": "load {:.0f}"}

_PROSE: Final = """\
# A million people

What Facedown needs for 10,000 to 10,000,000 people at once, and what stops it first. Made by `python
bench/million.py page` from measurements that are kept with their command, machine and date
(`docs/measured-scale.json`), and from assumptions that are listed below. No number on this page was
typed in; a test compares it with what the command makes. **No one has run it with more people than the
crowd below**: everything larger is multiplication.

{short}

With what is built, and these assumptions, **about {reach} people** is the most: more need more
{then} than are assumed, however many machines there are ([why](#what-stops-a-single-cluster-first)).

## The crowd that was really there

{crowd_by}. Simulated people, two at a table of E-Card, over WebSockets, at {servers} servers on
{clusters}; servers, PostgreSQL with `fsync`, all clients and other work shared the machine (its load is
in the table). They think {think} s before a pick; one places after the other, so each of them picks
every {every} s. Every person's history was compared with the store.

{crowd}

{acked} commands were acknowledged in all, with {wrong} anomalies (lost, doubled, shown unsaved or early,
refused for no reason). The largest step is the last one of the run, or the first whose answers
took more than {slow} ms (p99): it is not the most that servers on machines of their own carry.

### When a server is killed

In each step each server is killed once with `kill -9`, and its people connect to {others} at the same
moment; afterwards they go back. A seat is back when it sees its table again. Those whose turn it is place
at once, and have played again when that is acknowledged.

{kills}

{verdict}

*Waited* is for how much of the time until the last one was back a server, and the process of all clients,
could have run and had no processor: others used them. A seat costs the milliseconds in the table, all
seats come at once, and so nearly all of them are back at the end.

## What a pick costs

From the largest step of that crowd whose answers came within {slow} ms (p99), and from {packed_by}:

{units}

A pick of people who think costs several times what one costs where no one thinks: nearly every pick has
a commit of its own. The fewer people, the more of it is what servers do anyway (sweeps, signs of life),
so these units are rather too high for larger crowds.

## What these numbers of people need

At the busiest time of a day:

{needs}

Connections to a single cluster are those of servers without groups; to the home cluster and to the others,
those of servers in groups. Disks hold the packed games of {kept_days} days and the
unpacked ones of {unpacked_days}, on every member.

### What stops a single cluster first

With one PostgreSQL cluster, hints over PostgreSQL itself and one proxy; 100 % is the limit with the
assumed reserve:

{limits}

![How much of each limit is used](pictures/a-million-limits.svg)

What each limit asks for: *NOTIFY* a NATS cluster (`FACEDOWN_BUS`); *processors*, *transactions*,
*syncs* and *WAL* more PostgreSQL clusters, among which tables are divided ([several
clusters](several-servers.md#several-postgresql-clusters)); the *network* more proxies behind one name.
*Connections* ask for [groups of servers](several-servers.md#groups-of-servers), each for its clusters, and
for fewer connections of each (`store_connections`). All of them are connected to the home cluster, which
is what is used up last: a pooler has to be in session mode, and saves none.

### How long a pick waits

A server process as a queue with one place: picks arrive at random, each takes {server_ms} ms. At the
99th percentile, without the commit and the network:

{waits}

## What it costs

For a month, in any currency in which the assumed prices are right. Machines are paid for the busiest
time, traffic for the average. Standbys are as large as primaries.

{prices}

## What is assumed

Not counted: people who only watch or look around, the first page of each visitor, PostgreSQL's own
memory, backups, and what a synchronous standby adds to a commit. Clusters are counted as if tables were
spread evenly and nothing but games used them.

Change any of them: `python bench/million.py show --set core_month=20 pick_every_s=5`.

{assumed}

{soak}"""

_SOAKED: Final = """\
## Does anything grow?

{by}: {servers_on} with a fault every minute for {minutes} minutes: {faults}. The first server was never
ended, so that its memory can be followed; everything that happens to a database and a connection
happened to it. {acked} picks were acknowledged at {tables} tables; their histories had
{wrong} anomalies.{remark}

![Memory, files, tasks and WAL of the first server](pictures/a-million-soak.svg)

![Answers, and the load of the machine](pictures/a-million-soak-answers.svg)

Each line is drawn as a share of its largest value. Tasks are those that Python holds, finished ones that
it has not freed yet among them; the load is that of the whole machine, on which other work ran. After
{warm} minutes memory changed by {slope} ± {error} MB an hour (least squares through
the means of minutes, ± twice the standard error, widened by how much minutes depend on each
other){verdict}. The blocks that Python's allocator has handed out, which follow the objects and not the
pages of the system, changed by {blocks} ± {blocks_error} an hour, of
{blocks_held}{blocks_verdict}.{hour}{before}
"""
_BEFORE: Final = """

Earlier hours by the same command had found growth: {slopes} MB an hour (the errors of the first two are not
widened). What grew first was freed by Python's garbage collector alone, which a server runs rarely: tables
that had been unloaded and connections that had ended; then failures of a database that was away, whose
tracebacks led to futures that held them, and with them the connections, sessions and tables of all who
waited. These are freed at once now. A cache that kept the topics of tables that were gone was removed. Two
others still fill, each up to a bound: when the store was last asked about a session (20,000 sessions), and
how many hints were sent in each slice (4,096 slices)."""

_NO_HOUR: Final = """ **An hour was not run**: that is
`python bench/soak.py --servers 2 --clusters 2 --hours 1 --keep`."""


def files_of(
    results: Mapping[str, Any], units: Units, assumed: Assumed, needs: Sequence[Need]
) -> dict[Path, str]:
    """Every file that the page consists of."""
    made = {_PAGE: _page(results, units, assumed, needs), _LIMITS: _limits(units, assumed)}
    if "soak" in results:
        samples = results["soak"]["result"]["samples"]
        made[_SOAK] = _shares_of_largest("The first server, as shares of the largest value", _HELD, samples)
        made[_ANSWERS] = _shares_of_largest("Answers, as shares of the largest value", _MET, samples)
    return made


def _page(results: Mapping[str, Any], units: Units, assumed: Assumed, needs: Sequence[Need]) -> str:
    crowd = results["crowd"]["result"]
    return (
        _PROSE.format(
            crowd_by=_by(results["crowd"]),
            slow=f"{1000 * SLOW_S:.0f}",
            packed_by=f"`{results['packed']['command']}`",
            servers=crowd["servers"],
            clusters=_clusters(crowd["clusters"]),
            short=_in_short(needs, units, assumed),
            reach=_reach(needs),
            then=needs[-1].then[0],
            think=_short(crowd["think_s"]),
            every=f"{crowd['steps'][-1]['people'] / crowd['steps'][-1]['picks_per_s']:.0f}",
            crowd=_crowd(crowd["steps"]),
            others="the other one" if crowd["servers"] == 2 else "the others",
            kills=_kills(crowd["steps"]),
            verdict=verdict(crowd["steps"]),
            acked=f"{crowd['acked']:,}",
            wrong=crowd["anomalies"],
            units=table(("measured", ""), [(_WORDS[name], _short(value)) for name, value in _values(units)]),
            needs=_needs(needs),
            limits=_shares(needs),
            server_ms=_short(units.server_ms),
            waits=_waits(units),
            prices=_prices(needs, units, assumed),
            assumed=table(
                ("assumed", ""), [(_ASSUMED[name], _short(value)) for name, value in _values(assumed)]
            ),
            kept_days=assumed.kept_days,
            unpacked_days=assumed.unpacked_days,
            soak=_soak(results["soak"], results.get("soaks before", ())) if "soak" in results else "",
        ).rstrip()
        + "\n"
    )


def _values(of: Units | Assumed) -> list[tuple[str, float]]:
    return [(each.name, getattr(of, each.name)) for each in fields(of)]


def _short(value: float) -> str:
    """Three figures, or all of a whole number.

    >>> _short(1234.6), _short(3.14159), _short(0.0123), _short(200)
    ('1,235', '3.14', '0.0123', '200')
    """
    return f"{value:,.0f}" if value >= 100 or value == int(value) else f"{value:.3g}"


def _by(entry: Mapping[str, Any]) -> str:
    return f"`{entry['command']}` ({entry['machine']}, {entry['date']})"


def _clusters(count: int) -> str:
    return "one PostgreSQL" if count == 1 else f"{count} PostgreSQL clusters"


def _crowd(steps: Sequence[Mapping[str, Any]]) -> str:
    rows = [
        [f"{each['people']:,}"]
        + [
            _short(each[name])
            for name in ("picks_per_s", "server_ms", "postgresql_ms", "person_kb", "p50_ms", "p99_ms", "load")
        ]
        for each in steps
    ]
    heads = ("people", "picks a second", "ms of servers a pick", "ms of PostgreSQL", "KB a person")
    return table((*heads, "answers, median, ms", "p99, ms", "load"), rows)


def _kills(steps: Sequence[Mapping[str, Any]]) -> str:
    rows = []
    for step in steps:
        for kill in step["kills"]:
            waited = (f"{100 * kill[name]:.0f} %" for name in ("servers_waited", "clients_waited"))
            times = (_short(kill[name]) for name in ("seated_p50_s", "seated_p99_s", "played_p99_s"))
            costs = (_short(kill[name]) for name in ("server_ms", "postgresql_ms", "client_ms"))
            rows.append(
                (f"{step['people']:,}", _short(kill["lost"]), *times, *costs, *waited, _short(kill["load"]))
            )
    times_s = ("back, median, s", "p99, s", "played again, p99, s")
    costs_ms = ("ms of servers a seat", "of PostgreSQL", "of clients")
    return table(
        ("people", "seats lost", *times_s, *costs_ms, "server waited", "clients waited", "load"), rows
    )


def verdict(steps: Sequence[Mapping[str, Any]]) -> str:
    """The largest number of people up to which every kill was within the bar."""
    slowest = [(step["people"], max(_slowest_s(kill) for kill in step["kills"])) for step in steps]
    held = [people for people, _ in takewhile(lambda each: each[1] <= BACK_S, slowest)]
    missed = [f"{people:,} ({_short(slow)} s)" for people, slow in slowest if slow > BACK_S]
    words = [f"The bar is {_short(BACK_S)} s at the 99th percentile, to be back and to have played again."]
    words += [f"It **holds with {held[-1]:,} people**."] if held else []
    words += [f"It is **missed with {', '.join(missed)}**."] if missed else []
    return " ".join(words)


def _slowest_s(kill: Mapping[str, float]) -> float:
    return max(kill["seated_p99_s"], kill["played_p99_s"])


def _in_short(needs: Sequence[Need], units: Units, assumed: Assumed) -> str:
    rows = [
        (
            f"{each.people:,}",
            f"{_short(each.server_cores)} in {_short(each.processes)} processes",
            f"{_short(each.clusters)}, {_short(each.postgresql_cores)} processors",
            f"{each.first[0]}, {_short(100 * each.first[1])} %",
            _short(sum(price(each, units, assumed).values())),
        )
        for each in needs
    ]
    heads = ("people at once", "busy processors of servers", "PostgreSQL clusters")
    return table((*heads, "first limit of a single cluster", "price of a month"), rows)


def _reach(needs: Sequence[Need]) -> str:
    """The people at whose number what more clusters do not divide is used up, in two figures."""
    people = needs[-1].people / needs[-1].then[1]
    return f"{round(people, 1 - int(log10(people))):,.0f}"


def _needs(needs: Sequence[Need]) -> str:
    rows = [
        ("picks a second", *(_short(each.picks_per_s) for each in needs)),
        ("processors of servers, busy", *(_short(each.server_cores) for each in needs)),
        ("server processes", *(_short(each.processes) for each in needs)),
        ("memory of servers, GB", *(_short(each.memory_gb) for each in needs)),
        ("processors of PostgreSQL, busy", *(_short(each.postgresql_cores) for each in needs)),
        ("transactions a second", *(_short(each.transactions_per_s) for each in needs)),
        ("syncs a second", *(_short(each.syncs_per_s) for each in needs)),
        ("WAL, MB a second", *(_short(each.wal_mb_per_s) for each in needs)),
        ("PostgreSQL clusters", *(_short(each.clusters) for each in needs)),
        ("network, Gbit a second", *(_short(each.network_gbit_per_s) for each in needs)),
        ("sockets", *(_short(each.sockets) for each in needs)),
        ("connections to a single cluster", *(_short(each.connections) for each in needs)),
        ("connections to the home cluster", *(_short(each.home_connections) for each in needs)),
        ("connections to another cluster", *(_short(each.other_connections) for each in needs)),
        ("packed games, GB a day", *(_short(each.disk_gb_per_day) for each in needs)),
        ("disks in all, TB", *(_short(each.disk_gb / 1000) for each in needs)),
    ]
    return table(("people at once", *(f"{each.people:,}" for each in needs)), rows)


def _shares(needs: Sequence[Need]) -> str:
    rows = [(name, *(f"{_short(100 * each.shares[name])} %" for each in needs)) for name in needs[0].shares]
    rows.append(("**first**", *(each.first[0] for each in needs)))
    then = [f"{name}, {_short(100 * share)} %" for name, share in (each.then for each in needs)]
    rows.append(("**then**, with more clusters, NATS and groups", *then))
    return table(("of one cluster", *(f"{each.people:,}" for each in needs)), rows)


def _waits(units: Units) -> str:
    shares = (0.3, 0.6, 0.8, 0.9)
    waits = [f"{_short(slowest_ms(units.server_ms, busy))} ms" for busy in shares]
    return table(("a process is busy for", *(f"{100 * busy:.0f} %" for busy in shares)), [("p99", *waits)])


def _prices(needs: Sequence[Need], units: Units, assumed: Assumed) -> str:
    costs = [price(each, units, assumed) for each in needs]
    rows = [(name, *(_short(each[name]) for each in costs)) for name in costs[0]]
    rows.append(("**in all**", *(_short(sum(each.values())) for each in costs)))
    per_person = [sum(cost.values()) / each.people for cost, each in zip(costs, needs, strict=True)]
    rows.append(("for a person who is there", *(_short(each) for each in per_person)))
    return table(("a month", *(f"{each.people:,}" for each in needs)), rows)


def _limits(units: Units, assumed: Assumed) -> str:
    """Shares of some limits of one cluster, over the number of people."""
    sizes = [10 ** (3 + step / _POINTS) for step in range(3 * _POINTS + 1)]
    found = [need(round(size), units, assumed) for size in sizes]
    lines = []
    for name, word in _DRAWN.items():
        points = [(log10(each.people), each.shares[name]) for each in found if each.shares[name] <= 1]
        lines.append(Line(word, points))
    title = "What one cluster and one proxy carry"
    return line_plot(title, lines, "people at once, as a power of ten", "share")


def _soak(entry: Mapping[str, Any], before: Sequence[Mapping[str, Any]]) -> str:
    run = entry["result"]
    slope, error = run["memory_mb_per_hour"], run["memory_mb_per_hour_error"]
    if slope is None:
        return ""
    return _SOAKED.format(
        by=_by(entry),
        servers_on=f"{run['servers']} servers on {_clusters(run['clusters'])}",
        minutes=_short(run["seconds"] / 60),
        faults=", ".join(f"{count} × {re.sub('_', ' ', name)}" for name, count in run["faults"].items()),
        acked=f"{run['acked']:,}",
        tables=f"{run['tables']:,}",
        wrong=run["anomalies"],
        remark=f" {entry['remark']}" if "remark" in entry else "",
        warm=_short(run["warm_s"] / 60),
        slope=_signed(slope),
        error=_short(error),
        verdict=_flat(run),
        blocks=_signed(run["python_blocks_per_hour"]),
        blocks_error=_short(run["python_blocks_per_hour_error"]),
        blocks_held=_short(run["samples"][-1]["python_blocks"]),
        blocks_verdict=_flat(run, "python_blocks"),
        hour="" if run["seconds"] >= 3600 else _NO_HOUR,
        before=_before(before) if before else "",
    )


def _flat(run: Mapping[str, Any], name: str = "memory_mb") -> str:
    """Whether something grew by more than the error of its slope."""
    if abs(run[f"{name}_per_hour"]) <= run[f"{name}_per_hour_error"]:
        return ": no growth beyond noise"
    return ": more than its error"


def _before(entries: Sequence[Mapping[str, Any]]) -> str:
    runs = [each["result"] for each in entries]
    slopes = [
        f"{_signed(run['memory_mb_per_hour'])} ± {_short(run['memory_mb_per_hour_error'])}" for run in runs
    ]
    return _BEFORE.format(slopes=", then ".join(slopes))


def _signed(value: float) -> str:
    """A change, with a minus sign as in print.

    >>> _signed(-1.25), _signed(1200)
    ('−1.25', '1,200')
    """
    return _short(value) if value >= 0 else f"−{_short(-value)}"


def _shares_of_largest(title: str, names: Mapping[str, str], samples: Sequence[Mapping[str, float]]) -> str:
    """Several quantities over time, each as a share of its largest value."""
    lines = []
    for name, words in names.items():
        most = max(each[name] for each in samples) or 1
        points = [(each["at"] / 60, each[name] / most) for each in samples]
        lines.append(Line(words.format(most), points))
    return line_plot(title, lines, "minutes", "share")
