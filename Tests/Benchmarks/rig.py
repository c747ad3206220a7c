"""Measures workloads in alternating rounds, each with a new server process."""
import shutil
import statistics
from typing import NamedTuple

import load
import stored
import workloads
from load import Latency, LoadFailed
from served import Server
from sync import tell

# The rate of the open loop, as a fraction of the closed loop's.
SHARE_OF_PEAK = 0.5
# A round takes longer if fewer exchanges would begin in it.
LEAST_BEGUN = 10


class Round(NamedTuple):
    """The figures of the load generator, and the server's peak memory."""
    figures: dict
    peak_mb: float

    @property
    def rate(self):
        return self.figures["exchanges"] / self.figures["seconds"]


class Rig:
    """Fills each required database once, and plays workloads on them."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = folder
        self.databases = {}

    def database(self, name):
        if name not in self.databases:
            self.databases[name] = self.filled(name)
        return self.databases[name]

    def filled(self, name):
        waggle, folder = self.options.waggle, self.folder / name
        if name == "modes":
            return stored.Modes(waggle, folder)
        if name == "original":
            return stored.field_service(waggle, folder, self.options.original_records,
                                        stored.Originals)
        return stored.field_service(waggle, folder, self.options.records)

    def play(self, workload, database, rate=None, serve=None, keep=None):
        """Plays a round with a new server; `serve` starts a different one. The site of a workload
        that writes is moved to `keep`, if given."""
        place = self.folder / "round"
        site = database.site.copied(place / "site") if workload.writes else database.site
        place.mkdir(exist_ok=True)
        try:
            with serve(site) if serve else Server(site, *workload.arguments) as server:
                found = self.play_on(server, workload, database, rate, place)
            if keep:
                shutil.move(site.folder, keep)
            return found
        finally:
            shutil.rmtree(place)

    def play_on(self, server, workload, database, rate, place):
        seconds, warm_up = self.options.seconds, self.options.warm_up
        if rate:
            seconds = max(seconds, LEAST_BEGUN / rate)
        requests = load.write(place / "requests", workload.exchanges(
            database, server, seconds + warm_up))
        streams = workload.idle and load.write(
            place / "streams", workloads.pull_of_nothing(database, server, seconds))
        server.forget_peak()
        try:
            figures = load.play(
                requests, server.port, connections=workload.connections,
                seconds=seconds, warm_up=warm_up, rate=rate, once=workload.once,
                idle=workload.idle or None, idle_requests=streams or None,
                server=server.process.pid)
        except LoadFailed as failure:
            raise SystemExit(f"{workload.name}: {failure}\n{server.said()}") from None
        if not figures["exchanges"]:
            raise SystemExit(f"{workload.name}: not one exchange was measured: take longer "
                             "rounds, '--seconds'")
        return Round(figures, server.peak_so_far_mb())


def in_turns(rounds, words, items, measure):
    """The measurements of each item, by name, in alternating rounds."""
    found = {item.name: [] for item in items}
    for number in range(rounds):
        for item in items:
            tell(f"{words}, round {number + 1} of {rounds}: {item.title}")
            found[item.name].append(measure(item))
    return found


def measured(rig, chosen):
    """The entries of the report, one for each workload."""
    rounds = rig.options.rounds
    for workload in chosen:
        rig.database(workload.of)
    closed = in_turns(rounds, "as fast as it goes", chosen,
                      lambda workload: rig.play(workload, rig.database(workload.of)))
    rates = {name: SHARE_OF_PEAK * statistics.median(each.rate for each in found)
             for name, found in closed.items()}
    opened = in_turns(rounds, "at half of that", [item for item in chosen if item.paced],
                      lambda workload: rig.play(workload, rig.database(workload.of),
                                                rate=rates[workload.name]))
    return [entry(workload, closed[workload.name], opened.get(workload.name),
                  rates[workload.name]) for workload in chosen]


def entry(workload, closed, opened, rate):
    timed = opened or closed
    return {
        "name": workload.name, "kind": "served", "title": workload.title, "about": workload.about,
        "connections": workload.connections, "idle": workload.idle, "unit": workload.unit,
        "units": workload.units,
        "exchanges": sum(each.figures["exchanges"] for each in closed),
        "seconds": sum(each.figures["seconds"] for each in closed),
        "throughput": spread(each.rate for each in closed),
        "processor": spread(processor_ms(each) for each in closed),
        "memory": spread(each.peak_mb for each in closed),
        "load": spread(each.figures["ownProcessorSeconds"] / each.figures["seconds"]
                       for each in closed),
        "rate": rate if opened else None,
        "latency": latency_entry([each.figures["latency"] for each in timed]),
    }


def processor_ms(found):
    """The server's processor time for an exchange, in milliseconds."""
    return found.figures["serverProcessorSeconds"] * 1000 / found.figures["exchanges"]


def latency_entry(histograms):
    """Latencies in milliseconds, of all rounds together and of each."""
    together, each = Latency(histograms), [Latency([histogram]) for histogram in histograms]
    entry = {"count": together.count, "max": together.most / 1000,
             "curve": [[percent, value / 1000] for percent, value in together.curve()]}
    for percent in (50, 90, 99, 99.9):
        values = [one.percentile(percent) for one in each]
        whole = together.percentile(percent)
        if whole is not None:
            known = [value / 1000 for value in values if value is not None]
            entry[f"p{percent}"] = {**spread(known or [whole / 1000]), "median": whole / 1000}
    return entry


def spread(values):
    values = list(values)
    return {"median": statistics.median(values), "least": min(values), "most": max(values),
            "rounds": values}
