"""What a number of people needs: unit costs that were measured, and assumptions that say so.

A pick costs so much of a server and of PostgreSQL; a person holds so much memory; everything else is
multiplication, division by what one machine has, and one queue. Nothing here measures anything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import ceil, log
from typing import Final

_DAY_S: Final = 86_400
_MONTH_DAYS: Final = 30
_MB: Final = 1e6
_GB: Final = 1e9


@dataclass(frozen=True)
class Units:
    """What was measured: of `docs/measured-scale.json`."""

    server_ms: float
    """Of a server's processor, for a pick of people who think."""
    postgresql_ms: float
    """Of PostgreSQL's processors, for the same pick."""
    transactions: float
    """For a pick, those that only read among them."""
    syncs: float
    """Of the log to the disk, for a pick: commits at the same instant share one."""
    wal_bytes: float
    """For a pick."""
    network_bytes: float
    """To and from clients, for a pick."""
    person_kb: float
    """Of a server's memory, for a person at a table."""
    picks_per_game: float
    """Of both seats."""
    game_bytes: float
    """On the disk of one PostgreSQL, of a finished game."""
    packed_bytes: float
    """The same game, packed."""
    notifies_per_s: float
    """That one PostgreSQL of this machine carries, with sixteen servers that listen."""


@dataclass(frozen=True)
class Assumed:
    """What was not measured: choose your own."""

    pick_every_s: float = 10.0
    """A person's picks, on average."""
    busy: float = 0.6
    """How much of a processor or a disk is used at most."""
    peak: float = 3.0
    """The most people at once, as a multiple of the average over a day."""
    postgresql_cores: int = 32
    """Of one machine for PostgreSQL."""
    postgresql_transactions_per_s: float = 50_000.0
    postgresql_syncs_per_s: float = 10_000.0
    """Of one PostgreSQL, with a disk that syncs quickly."""
    postgresql_wal_mb_per_s: float = 200.0
    postgresql_connections: int = 1_000
    members: int = 3
    """Machines of one cluster: a primary and its standbys, all of one size."""
    home_connections: int = 5_000
    """To the PostgreSQL of the home cluster, most of them idle: 1.6 MB each with 3,000 on this machine."""
    connections_per_process: int = 16
    few_connections_per_process: int = 7
    """With `store_connections=4`: what a server had where no one thought, over PostgreSQL's own hints."""
    hints_per_process_s: float = 50.0
    """Commits that notify, of one server process: it collects hints for 20 ms."""
    proxy_gbit_per_s: float = 10.0
    """Of the network of one machine with HAProxy."""
    unpacked_days: int = 7
    kept_days: int = 365
    core_month: float = 12.0
    memory_gb_month: float = 3.0
    disk_gb_month: float = 0.10
    traffic_gb: float = 0.01


@dataclass(frozen=True)
class Need:
    """What a number of people at once needs, at the busiest time of the day."""

    people: int
    picks_per_s: float
    server_cores: float
    processes: int
    postgresql_cores: float
    """Of all primaries."""
    memory_gb: float
    """Of all servers."""
    wal_mb_per_s: float
    transactions_per_s: float
    syncs_per_s: float
    network_gbit_per_s: float
    sockets: int
    connections: int
    """To PostgreSQL, of all processes, if every one serves every cluster."""
    home_connections: int
    """To the home cluster, of servers in groups, each of which has few connections."""
    other_connections: int
    """To each further cluster: few of each server of its group, and one of every other server."""
    disk_gb_per_day: float
    """Packed, on one member."""
    disk_gb: float
    """Of all members after `kept_days`."""
    shares: Mapping[str, float]
    """Of what a single cluster with one proxy carries: above 1 it does not."""
    clusters: int
    left: Mapping[str, float]
    """The shares with `clusters`, NATS and groups of servers, of what these do not divide."""

    @property
    def first(self) -> tuple[str, float]:
        """What is nearest to its limit on a single cluster, and its share of that."""
        name = max(self.shares, key=self.shares.__getitem__)
        return name, self.shares[name]

    @property
    def then(self) -> tuple[str, float]:
        """What is nearest to its limit then."""
        name = max(self.left, key=self.left.__getitem__)
        return name, self.left[name]


NOTIFY: Final = "NOTIFY"
NETWORK: Final = "network of the proxy"
CONNECTIONS: Final = "connections to PostgreSQL"
HOME: Final = "connections to the home cluster"
OTHER: Final = "connections to another cluster"
_BY_MORE_CLUSTERS: Final = ("processors of PostgreSQL", "transactions", "syncs of the disk", "WAL")
"""What more clusters divide. NATS takes the place of NOTIFY, and more proxies share the network."""


def need(people: int, units: Units, assumed: Assumed) -> Need:
    """What a number of people need."""
    picks = people / assumed.pick_every_s
    server, database = picks * units.server_ms / 1000, picks * units.postgresql_ms / 1000
    processes = ceil(server / assumed.busy)
    wal, transactions, syncs = picks * units.wal_bytes / _MB, picks * units.transactions, picks * units.syncs
    network = picks * units.network_bytes * 8 / 1e9
    games_a_day = picks / units.picks_per_game * _DAY_S / assumed.peak
    packed = games_a_day * units.packed_bytes / _GB
    unpacked = games_a_day * units.game_bytes / _GB
    connections = processes * assumed.connections_per_process
    shares = {
        "processors of PostgreSQL": database / (assumed.postgresql_cores * assumed.busy),
        "transactions": transactions / (assumed.postgresql_transactions_per_s * assumed.busy),
        "syncs of the disk": syncs / (assumed.postgresql_syncs_per_s * assumed.busy),
        "WAL": wal / (assumed.postgresql_wal_mb_per_s * assumed.busy),
        NOTIFY: min(processes * assumed.hints_per_process_s, picks) / (units.notifies_per_s * assumed.busy),
        CONNECTIONS: connections / assumed.postgresql_connections,
        NETWORK: network / (assumed.proxy_gbit_per_s * assumed.busy),
    }
    clusters = max(1, ceil(max(shares[each] for each in _BY_MORE_CLUSTERS)))
    few = assumed.few_connections_per_process
    home, other = processes * few, ceil(processes / clusters) * few + processes
    left = {
        HOME: home / assumed.home_connections,
        OTHER: other / assumed.postgresql_connections,
        NETWORK: shares[NETWORK],
    }
    days_packed = max(0, assumed.kept_days - assumed.unpacked_days)
    return Need(
        people,
        picks,
        server,
        processes,
        database,
        people * units.person_kb / 1e6,
        wal,
        transactions,
        syncs,
        network,
        people,
        connections,
        home,
        other,
        packed,
        assumed.members * (assumed.unpacked_days * unpacked + days_packed * packed),
        shares,
        clusters,
        left,
    )


def price(found: Need, units: Units, assumed: Assumed) -> dict[str, float]:
    """For a month, by what it is paid for: machines for the busiest time, traffic for the average."""
    cores = (found.server_cores + assumed.members * found.postgresql_cores) / assumed.busy
    traffic = found.picks_per_s * units.network_bytes / _GB * _DAY_S * _MONTH_DAYS / assumed.peak
    return {
        "processors": cores * assumed.core_month,
        "memory": found.memory_gb * assumed.memory_gb_month,
        "disk": found.disk_gb * assumed.disk_gb_month,
        "traffic": traffic * assumed.traffic_gb,
    }


def slowest_ms(service_ms: float, busy: float, share: float = 0.99) -> float:
    """The time in a queue with one server and random arrivals that this share does not exceed (M/M/1).

    >>> round(slowest_ms(1.0, 0.5), 2)
    9.21
    """
    return -log(1 - share) * service_ms / (1 - busy)
