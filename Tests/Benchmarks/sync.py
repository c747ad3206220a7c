#!/usr/bin/env python3
"""Measures `waggle serve` over HTTP: what it gains that pushes share commits, and that neither its
memory nor the cost of a pull grows with what is stored; `make bench-sync`.

What is compared runs in turns, so that what the machine does meanwhile counts for both, and each
figure is the median of the turns. Memory is the most that the server's process had resident. The
exit code is 1 when a goal is missed.
"""
import argparse
import itertools
import selectors
import shutil
import statistics
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import NamedTuple

from served import DISPATCHER, TECHNICIAN, Connection, Server, Site

PUSHERS = [1, 8, 64]
PUSHES = 1920
LEAST_GAIN = 1.2

BATCH = 1000
FEW = 10_000
MOST_PEAK_MB = 150

CHANGES = 100
MOST_GROWTH = 1.3


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        goals = shared_commits(Site(options.waggle, folder / "pushes"), options.rounds)
        few = fill(Site(options.waggle, folder / "few"), FEW)
        many = fill(Site(options.waggle, folder / "many"), options.records)
        goals += memory(many) + small_pulls(few, many, options.pulls)
    for goal, holds in goals:
        print(f"{'holds' if holds else 'MISSED'}: {goal}")
    sys.exit(0 if all(holds for _, holds in goals) else 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--records", type=int, default=1_000_000, help="how many are many")
    parser.add_argument("--rounds", type=int, default=5, help="how often pushes are measured")
    parser.add_argument("--pulls", type=int, default=300, help="how often pulls are measured")
    options = parser.parse_args()
    if not shutil.which(options.waggle):
        parser.error(f"'{options.waggle}' is not there: run 'make bench-sync'")
    return options


def shared_commits(site, rounds):
    """Clients that push one record each in a closed loop."""
    rates = {(pushers, calls): [] for pushers in PUSHERS for calls in (1, 64)}
    for _ in range(rounds):
        for (pushers, calls), found in rates.items():
            with Server(site, "--max-pushes-per-commit", str(calls)) as server:
                found.append(pushes_a_second(server, pushers))
    print("| clients that push | a commit for each push | shared commits | ratio |"
          "\n|---:|---:|---:|---:|")
    for pushers in PUSHERS:
        single, shared = (statistics.median(rates[pushers, calls]) for calls in (1, 64))
        gain = shared / single
        print(f"| {pushers} | {single:,.0f} a second | {shared:,.0f} a second | {gain:.2f} |")
    print()
    goal = f"{pushers} clients push {gain:.2f} times as fast with shared commits, at least " \
           f"{LEAST_GAIN}"
    return [(goal, gain >= LEAST_GAIN)]


def pushes_a_second(server, pushers):
    client = server.client(DISPATCHER)
    _, cursor = client.everything(BATCH)
    waiting = [client.request(changes=[creation(number)], cursor=cursor, limit=1)
               for number in range(PUSHES)]
    with selectors.DefaultSelector() as selector:
        before = time.perf_counter()
        for _ in range(pushers):
            connection = Connection(server.port)
            connection.send(waiting.pop())
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        answers = 0
        while answers < PUSHES:
            for key, _ in selector.select():
                key.data.receive()
                if key.data.answer() is None:
                    continue
                answers += 1
                if waiting:
                    key.data.send(waiting.pop())
        return PUSHES / (time.perf_counter() - before)


class Cost(NamedTuple):
    what: str
    seconds: float
    peak_mb: float


class Filled(NamedTuple):
    """A site with records, and the costs of pushing and of pulling all of them."""
    site: Site
    records: int
    # The guids of `CHANGES` records, distributed over all.
    guids: list
    # The cursors after all records, by user.
    cursors: dict
    costs: list


def fill(site, records):
    filled = Filled(site, records, [], {}, [])
    before = time.perf_counter()
    with Server(site) as server:
        client, known = server.client(DISPATCHER), []
        for start in range(0, records, BATCH):
            tell(f"pushing, {start:,} of {records:,}")
            changes = [creation(number) for number in range(start, start + BATCH)]
            client.sync(changes=changes, acknowledged=known, limit=1)
            known = [change["id"] for change in changes]
            filled.guids.extend(change["guid"] for number, change in enumerate(changes, start)
                                if number % (records // CHANGES) == 0)
    filled.costs.append(Cost("push of all", time.perf_counter() - before, server.peak_mb))
    for user in (DISPATCHER, TECHNICIAN):
        tell(f"first sync of {records:,}")
        before = time.perf_counter()
        with Server(site) as server:
            count, filled.cursors[user] = server.client(user).everything(BATCH)
        if count != records:
            sys.exit(f"{user.login} got {count:,} of {records:,} records")
        filled.costs.append(Cost(f"first sync of {user.gets}", time.perf_counter() - before,
                                 server.peak_mb))
    return filled


def memory(filled):
    size = filled.site.bytes() / 1e6
    print(f"| {filled.records:,} records, {size:,.0f} MB on disk | wall | records a second "
          "| peak memory |\n|---|---:|---:|---:|")
    for cost in filled.costs:
        print(f"| {cost.what} | {cost.seconds:.0f} s | {filled.records / cost.seconds:,.0f} "
              f"| {cost.peak_mb:.0f} MB |")
    print()
    worst = max(filled.costs, key=lambda cost: cost.peak_mb)
    return [(f"{worst.what}, {filled.records:,} records, takes {worst.peak_mb:.0f} MB, below "
             f"{MOST_PEAK_MB}", worst.peak_mb < MOST_PEAK_MB)]


def small_pulls(few, many, pulls):
    """Compares a pull of a hundred changes with few and with many stored records."""
    milliseconds = {(user, filled.records): [] for user in few.cursors for filled in (few, many)}
    with Server(few.site) as one, Server(many.site) as other:
        lanes = [lane for server, filled in ((one, few), (other, many))
                 for lane in pull_lanes(server, filled)]
        for number, (user, records, client, request) in itertools.product(range(pulls), lanes):
            tell(f"pulling, {number} of {pulls}")
            before = time.perf_counter()
            client.connection.exchange(request)
            milliseconds[user, records].append((time.perf_counter() - before) * 1000)
    print(f"| a pull of {CHANGES} changes | of {few.records:,} records | of {many.records:,} "
          "| ratio |\n|---|---:|---:|---:|")
    goals = []
    for user in few.cursors:
        less, more = (statistics.median(milliseconds[user, filled.records])
                      for filled in (few, many))
        print(f"| {user.gets} | {less:.2f} ms | {more:.2f} ms | {more / less:.2f} |")
        goals.append((f"{user.gets}, a pull of {CHANGES} changes costs {more / less:.2f} times as "
                      f"much with {many.records:,} records, at most {MOST_GROWTH}",
                      more / less <= MOST_GROWTH))
    print()
    return goals


def pull_lanes(server, filled):
    """Changes a hundred records, and yields the pull of these changes for each user."""
    clients = {user: server.client(user) for user in filled.cursors}
    clients[DISPATCHER].sync(limit=1, changes=[
        {"id": str(uuid.uuid4()), "action": "update", "model": "customer", "guid": guid, "base": 1,
         "fields": {"phone": "+49 30 111"}} for guid in filled.guids])
    for user, client in clients.items():
        members = {"cursor": filled.cursors[user], "limit": BATCH}
        page = client.sync(**members)
        if (len(page["records"]), page["more"]) != (CHANGES, False):
            sys.exit(f"{user.login} got {len(page['records'])} of {CHANGES} changes")
        yield user, filled.records, client, client.request(**members)


def creation(number):
    return {
        "id": str(uuid.uuid4()), "action": "create", "model": "customer",
        "guid": str(uuid.uuid4()), "fields": {
            "name": f"Customer number {number}", "phone": f"+49 30 {number:09}",
            "email": f"customer.{number}@example.org", "active": True,
            "customerSince": 1_700_000_000_000 + number, "creditLimit": "1250.50",
            "internalNotes": "Rings twice, and wants to be called the day before."}}


def tell(progress):
    if sys.stderr.isatty():
        print(f"\r{progress}\033[K\r", end="", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
