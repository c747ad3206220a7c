"""Compares Waggle with other servers in the same run: the throughput of each, and latencies at the
same rate."""
import math
import statistics
from typing import NamedTuple

import etcd
import installed
import kinto
import load
import rig
import words
from load import LoadFailed
from ours import Waggle, WaggleOnPostgres
from served import Cluster

NAMES = ["kinto", "etcd"]
INSTALLED = {"kinto": installed.kinto, "etcd": installed.etcd}
# The configuration that goals apply to.
MEASURE = "kinto"
# The intended number of latencies in all rounds. The 99th percentile needs 200, and random moments
# can be fewer.
LEAST_LATENCIES = 280
# The maximum duration of a round in seconds, since the server closes idle connections.
MOST_SECONDS = 50


class Round(NamedTuple):
    figures: dict
    # The number of sent records, and of those that are stored afterwards.
    sent: int
    done: int

    @property
    def rate(self):
        """Records per second."""
        return self.done / self.figures["seconds"]

    @property
    def requests(self):
        """Correct responses per second."""
        return self.figures["exchanges"] / self.figures["seconds"]


class Field:
    """The running servers and their addresses."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.cluster = Cluster(folder)
        self.ours = [Waggle(options, folder), WaggleOnPostgres(options, folder, self.cluster)]
        makers = {"kinto": lambda: kinto.Kinto(options, folder, self.cluster),
                  "etcd": lambda: etcd.Etcd(options, folder)}
        self.others = [makers[name]() for name in options.peers]

    @property
    def servers(self):
        return self.ours + self.others

    def play(self, way, rate=None, seconds=None):
        """A round, with a server of its own."""
        seconds = seconds or self.options.seconds
        place = self.folder / "requests"
        try:
            with way.server.running(way.work) as server:
                if self.options.warm_up:
                    self.play_on(server, way, place, self.options.warm_up, rate)
                before = server.count()
                figures = self.play_on(server, way, place, seconds, rate)
                return found(way, figures, server.count() - before)
        except LoadFailed as failure:
            raise SystemExit(f"{way.name}: {failure}") from None

    @staticmethod
    def play_on(server, way, place, seconds, rate):
        # At random moments, there can be more exchanges than the rate suggests.
        most = seconds * 1.2 * rate + 100 if rate else seconds * (way.once or 1)
        requests = load.write(place, way.exchanges(server, math.ceil(most)))
        return load.play(requests, server.port, connections=way.work.connections, seconds=seconds,
                         rate=rate, once=way.once is not None, count_refused=True)


def found(way, figures, made):
    """The result of a round; `made` is the number of records that it has added."""
    done = figures["exchanges"] * way.records
    sent = done + figures["refused"] * way.records
    if way.server.name != MEASURE and figures["refused"]:
        raise SystemExit(f"{way.name}: {figures['refused']:,} requests of {sent:,} records in all "
                         "were refused")
    if way.work.makes and way.server.name != MEASURE and made != done:
        raise SystemExit(f"{way.name}: {done:,} records were answered as made, and {made:,} are "
                         "there")
    done = made if way.work.makes else done
    if not done:
        raise SystemExit(f"{way.name}: nothing was done in a round: take longer ones, '--seconds'")
    return Round(figures, sent, done)


def measured(options, folder, chosen):
    """The entry of the report."""
    # A failed installation ends the program before any server has started.
    for name in options.peers:
        INSTALLED[name]()
    field = Field(options, folder)
    try:
        for server in field.servers:
            server.prepare(chosen)
        return {"servers": [{name: getattr(server, name) for name in
                             ("name", "title", "about", "durability")}
                            for server in field.servers],
                "records": options.records,
                "works": [work_entry(field, work) for work in chosen]}
    finally:
        field.cluster.end()


def work_entry(field, work):
    ways = [way for server in field.servers for way in server.ways(work)]
    found = rig.in_turns(field.options.rounds, "as fast as it goes", ways, field.play)
    return {"name": work.name, "title": work.title, "about": work.about,
            "connections": work.connections,
            "ways": [way_entry(way, found[way.name]) for way in ways],
            "pairs": [pair_entry(field, work, ways, server, found) for server in field.others]}


def way_entry(way, rounds):
    return {
        "server": way.server.name, "title": way.title, "records": way.records,
        "throughput": rig.spread(each.rate for each in rounds),
        "requests": rig.spread(each.requests for each in rounds),
        "sent": sum(each.sent for each in rounds),
        "refused": sum(each.sent - each.done for each in rounds),
        "load": rig.spread(each.figures["ownProcessorSeconds"] / each.figures["seconds"]
                           for each in rounds)}


def pair_entry(field, work, ways, other, found):
    """Waggle compared with one other server."""
    theirs = next(way for way in ways if way.server is other)
    ours = [way for way in ways if way.server is field.ours[0]]
    rate = rig.SHARE_OF_PEAK * min(
        statistics.median(each.requests for each in found[way.name]) for way in [theirs, *ours])
    seconds = min(MOST_SECONDS, max(field.options.seconds, least_seconds(field.options, rate)))
    timed = rig.in_turns(
        field.options.rounds, f"{rate:.0f} requests a second", [theirs, *ours],
        lambda way: field.play(way, rate=rate, seconds=seconds))
    latencies = {way.name: rig.latency_entry([each.figures["latency"] for each in timed[way.name]])
                 for way in [theirs, *ours]}
    goals = other.name == MEASURE and not field.options.smoke
    return {
        "server": other.name, "title": theirs.title, "rate": rate, "seconds": seconds,
        "latency": latencies[theirs.name],
        "refused": refused(timed[theirs.name]),
        "ours": [{"title": way.title, "latency": latencies[way.name],
                  **ratio_entry(way, found[way.name], found[theirs.name], goals),
                  **tail_entry(latencies[way.name], latencies[theirs.name], goals)}
                 for way in ours]}


def least_seconds(options, rate):
    least = 10 if options.smoke else LEAST_LATENCIES
    return math.ceil(least / rate / options.rounds)


def refused(rounds):
    return {"sent": sum(each.sent for each in rounds),
            "refused": sum(each.sent - each.done for each in rounds)}


def ratio_entry(way, ours, theirs, goals):
    """The ratio of the median rates, and its spread over alternating rounds."""
    medians = [statistics.median(each.rate for each in rounds) for rounds in (ours, theirs)]
    each = [one.rate / other.rate for one, other in zip(ours, theirs)]
    least = way.work.least if goals and way.is_judged else None
    ratio = medians[0] / medians[1]
    return {"ratio": {**rig.spread(each), "median": ratio}, "least": least,
            "holds": least is None or ratio >= least}


def tail_entry(ours, theirs, goals):
    """An unknown percentile misses the goal."""
    one, other = (latency.get("p99", {}).get("median") for latency in (ours, theirs))
    is_known = one is not None and other is not None
    return {"tailHolds": is_known and one <= other if goals else None}


def tell_goals(found):
    """Prints the goals, and returns the exit code."""
    missed = 0
    for work in found["works"]:
        for pair in work["pairs"]:
            for ours in pair["ours"]:
                for holds, said in goals(work, pair, ours):
                    print(f"{'holds' if holds else 'MISSED'}: {said}")
                    missed += not holds
    return 1 if missed else 0


def goals(work, pair, ours):
    if ours["least"] is not None:
        yield ours["holds"], f"{work['title']}: {ours['title']} does " \
            f"{ours['ratio']['median']:.1f} times as many records a second as {pair['title']}, " \
            f"at least {ours['least']}"
    if ours["tailHolds"] is not None:
        one, other = (latency_words(entry) for entry in (ours, pair))
        yield ours["tailHolds"], f"{work['title']}: 99 of 100 requests to {ours['title']} take " \
            f"{one} at most, and {other} to {pair['title']}, {words.number(pair['rate'])} a " \
            "second of either"


def latency_words(entry):
    found = entry["latency"].get("p99")
    return words.duration(found["median"]) if found else "what too few requests tell"
