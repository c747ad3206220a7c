#!/usr/bin/env python3
"""Measures the library on a device against `waggle serve`: the first sync, what it costs to find,
save and sync one record among few and among many, and a push of new ones; `make bench-device`.

What is compared runs in turns, and each figure is the median of the turns. Memory is the most that
the device's process had resident. The exit code is 1 when a goal is missed.
"""
import argparse
import itertools
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import uuid
from pathlib import Path

from served import DISPATCHER, Server, Site

BATCH = 1000
SITES_OF_A_CUSTOMER = 9
FEW = 1000
PUSHED = 10_000

# The minimum rate with many records, as a fraction of the rate with few.
LEAST_FIRST = 0.7
MOST_GROWTH = 1.3
LEAST_GAIN_OF_INDEX = 20
INDEXED = "find by a relation, with an index"
NOT_INDEXED = "find by a field, without an index"
# Operations that scan all records take longer with more of them.
LOOKS_AT_ALL = {NOT_INDEXED, "find by the start of a text", "find the first 20 in an order",
                "find within a text"}


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        few = fill(Site(options.waggle, folder / "few"), FEW)
        many = fill(Site(options.waggle, folder / "many"), options.records)
        goals = first_syncs(options, [few, many], folder)
        goals += growth(options, few, many, folder)
        pushes(options, folder)
    for goal, holds in goals:
        print(f"{'holds' if holds else 'MISSED'}: {goal}")
    sys.exit(0 if all(holds for _, holds in goals) else 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--device", default=".build/release/DeviceBenchmark",
                        help="a release build")
    parser.add_argument("--records", type=int, default=100_000, help="how many are many")
    parser.add_argument("--syncs", type=int, default=5, help="how often first syncs are measured")
    parser.add_argument("--rounds", type=int, default=60, help="how often the rest is measured")
    options = parser.parse_args()
    for program in (options.waggle, options.device):
        if not shutil.which(program):
            parser.error(f"'{program}' is not there: run 'make bench-device'")
    return options


class Filled:
    """A site with this number of records: customers and their sites."""

    def __init__(self, site, records):
        self.site = site
        self.records = records


def fill(site, records):
    with Server(site) as server:
        client = server.client(DISPATCHER)
        changes = creations(records)
        # Batches are small, because Linux includes the parent's memory in the peak of its child.
        while batch := list(itertools.islice(changes, BATCH)):
            tell(f"pushing {records:,}")
            client.sync(changes=batch, limit=1)
    return Filled(site, records)


def creations(records):
    customers = [str(uuid.uuid4()) for _ in range(records // (SITES_OF_A_CUSTOMER + 1))]
    for number, guid in enumerate(customers):
        yield creation("customer", guid, {"name": f"Customer number {number}"})
    for number in range(records - len(customers)):
        yield creation("site", str(uuid.uuid4()), {
            "customer": customers[number % len(customers)], "name": f"Site {number:07} of many",
            "address": f"{number} Long Road, in a town that has a name", "latitude": "52.520008",
            "longitude": "13.404954", "accessCode": f"code {number}"})


def creation(model, guid, fields):
    return {"id": str(uuid.uuid4()), "action": "create", "model": model, "guid": guid,
            "fields": fields}


def device(options, *words):
    """The output of the process, and its peak memory in MB."""
    process = subprocess.Popen([options.device, *map(str, words)], stdout=subprocess.PIPE)
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    process.stdout.close()
    if process.returncode:
        sys.exit(f"'{' '.join(map(str, words))}' failed")
    # Linux reports KiB.
    return json.loads(output), usage.ru_maxrss * 1024 / 1e6


def first_syncs(options, sites, folder):
    costs = {filled.records: [] for filled in sites}
    for number in range(options.syncs):
        for filled in sites:
            tell(f"first sync {number} of {options.syncs}")
            with Server(filled.site) as server:
                place = folder / f"device-{filled.records}-{number}"
                figures, peak_mb = device(options, "first", server.address, place)
            if figures["records"] != filled.records:
                sys.exit(f"a device got {figures['records']} of {filled.records} records")
            costs[filled.records].append((figures["seconds"], peak_mb))
    print("| first sync of | wall | records a second | peak memory |\n|---:|---:|---:|---:|")
    rates = []
    for records, found in costs.items():
        seconds, peak_mb = (statistics.median(values) for values in zip(*found))
        rates.append(records / seconds)
        print(f"| {records:,} | {seconds:.2f} s | {rates[-1]:,.0f} | {peak_mb:.0f} MB |")
    print()
    few, many = rates
    return [(f"a first sync of {records:,} gets {many / few:.2f} times as many records a second as "
             f"a short one, at least {LEAST_FIRST}", many / few >= LEAST_FIRST)]


def growth(options, few, many, folder):
    tell("comparing")
    with Server(few.site) as one, Server(many.site) as other:
        places = [word for filled, server in ((few, one), (many, other))
                  for word in (server.address, folder / f"device-{filled.records}-0")]
        times, _ = device(options, "compare", options.rounds, *places)
    print(f"| one record | of {few.records:,} | of {many.records:,} | ratio |"
          "\n|---|---:|---:|---:|")
    goals = []
    costs = {step["what"]: [statistics.median(lane) * 1000 for lane in step["seconds"]]
             for step in times}
    for what, (less, more) in costs.items():
        print(f"| {what} | {less:.2f} ms | {more:.2f} ms | {more / less:.2f} |")
        if what not in LOOKS_AT_ALL:
            goals.append((f"{what} costs {more / less:.2f} times as much with {many.records:,} "
                          f"records, at most {MOST_GROWTH}", more / less <= MOST_GROWTH))
    print()
    gain = costs[NOT_INDEXED][1] / costs[INDEXED][1]
    goals.append((f"with an index {many.records:,} records are searched {gain:.0f} times as fast "
                  f"as without, at least {LEAST_GAIN_OF_INDEX}", gain >= LEAST_GAIN_OF_INDEX))
    return goals


def pushes(options, folder):
    found = []
    for number in range(options.syncs):
        tell(f"push {number} of {options.syncs}")
        with Server(Site(options.waggle, folder / f"push-{number}")) as server:
            place = folder / f"device-push-{number}"
            found.append(device(options, "push", server.address, place, PUSHED))
    print(f"| {PUSHED:,} new records | wall | records a second | peak memory |"
          "\n|---|---:|---:|---:|")
    peak_mb = statistics.median(peak for _, peak in found)
    for what, words in (("save", "saved in one transaction"), ("sync", "sent and acknowledged")):
        seconds = statistics.median(figures[what] for figures, _ in found)
        print(f"| {words} | {seconds:.2f} s | {PUSHED / seconds:,.0f} | {peak_mb:.0f} MB |")
    print()


def tell(progress):
    if sys.stderr.isatty():
        print(f"\r{progress}\033[K\r", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
