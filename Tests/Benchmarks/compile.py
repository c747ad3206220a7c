#!/usr/bin/env python3
"""Measures `waggle check` against `xmllint --noout` and against itself; `make bench-compile`.

Time is that of the processor, of which both programs use one: what else the machine does meanwhile
counts less than with the clock on the wall, which is shown too. All commands of a round run after
one another, and each figure is the median of the rounds. The exit code is 1 when a goal is missed.
"""
import argparse
import os
import shutil
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

import documents

SIZES = [10, 100, 1000, 2000, 5000, 10_000]
DOUBLINGS = [(1000, 2000), (5000, 10_000)]

# Below this number of models, starting a process dominates both times; this has its own goal.
LEAST_TO_COMPARE = 1000

MOST_GROWTH = 2.3
MOST_TO_XMLLINT = 2.0
MOST_TO_VERSION = 2.0

HOSTILE_BYTES = 4 << 20


class Cost(NamedTuple):
    wall_ms: float
    cpu_ms: float
    peak_mib: float


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(options.waggle, Path(folder), options.rounds)
        goals = fixed_cost(bench) + growth(bench) + hostile(bench)
    for goal, holds in goals:
        print(f"{'holds' if holds else 'MISSED'}: {goal}")
    sys.exit(0 if all(holds for _, holds in goals) else 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--rounds", type=int, default=5, help="how often each command runs")
    options = parser.parse_args()
    missing = [name for name in (options.waggle, "xmllint") if not shutil.which(name)]
    if missing:
        parser.error(f"'{missing[0]}' is not there: run 'make setup' and 'make bench-compile'")
    return options


class Bench:
    """Runs commands alternately and returns the medians."""

    def __init__(self, waggle, folder, rounds):
        self.waggle = waggle
        self.folder = folder
        self.rounds = rounds
        self.least_peak_mib = measured(["true"]).peak_mib

    def check(self, path):
        return [self.waggle, "check", str(path)]

    def write(self, name, parts):
        path = self.folder / name
        with path.open("w", encoding="utf-8", newline="") as file:
            file.writelines(parts)
        return path

    def medians(self, commands, rounds=None):
        costs = {name: [] for name in commands}
        for _ in range(rounds or self.rounds):
            for name, command in commands.items():
                costs[name].append(measured(command))
        return {name: Cost(*map(statistics.median, zip(*found))) for name, found in costs.items()}

    def peak(self, cost):
        """A peak below the memory of this program cannot be distinguished from it."""
        hidden = cost.peak_mib <= self.least_peak_mib * 1.02
        return f"< {self.least_peak_mib:.0f}" if hidden else f"{cost.peak_mib:.0f}"


def measured(command):
    silent = [(os.POSIX_SPAWN_OPEN, number, "/dev/null", os.O_WRONLY, 0) for number in (1, 2)]
    before = time.perf_counter()
    process = os.posix_spawnp(command[0], command, os.environ, file_actions=silent)
    _, status, usage = os.wait4(process, 0)
    wall = time.perf_counter() - before
    code = os.waitstatus_to_exitcode(status)
    if code not in (0, 1):
        sys.exit(f"'{' '.join(command)}' ended with {code}")
    return Cost(wall * 1000, (usage.ru_utime + usage.ru_stime) * 1000, usage.ru_maxrss / 1024)


def fixed_cost(bench):
    small = bench.write("small.xml", documents.definition(1))
    costs = bench.medians({
        "`waggle --version`": [bench.waggle, "--version"],
        "`waggle check`, 1 model": bench.check(small),
        "`xmllint --version`": ["xmllint", "--version"],
        "`xmllint --noout`, 1 model": ["xmllint", "--noout", str(small)],
    }, rounds=5 * bench.rounds)
    print("| a process | wall | processor |\n|---|---:|---:|")
    for name, cost in costs.items():
        print(f"| {name} | {cost.wall_ms:.1f} ms | {cost.cpu_ms:.1f} ms |")
    version, check, *_ = costs.values()
    ratio = check.cpu_ms / version.cpu_ms
    goal = f"a check of a small file takes {ratio:.2f} times as long as '--version', " \
           f"below {MOST_TO_VERSION}"
    return [(goal, ratio < MOST_TO_VERSION)]


def growth(bench):
    paths = {size: bench.write(f"{size}.xml", documents.definition(size)) for size in SIZES}
    commands = {}
    for size, path in paths.items():
        commands[size, "check"] = bench.check(path)
        commands[size, "xmllint"] = ["xmllint", "--noout", str(path)]
    costs = bench.medians(commands)
    print("\n| models | document | `waggle check` | wall | peak | `xmllint --noout` | wall | peak "
          "| ratio |\n|---:|---:|---:|---:|---:|---:|---:|---:|---:|")
    ratios = {}
    for size, path in paths.items():
        ours, theirs = costs[size, "check"], costs[size, "xmllint"]
        ratios[size] = ours.cpu_ms / theirs.cpu_ms
        print(f"| {size:,} | {path.stat().st_size / 1e6:.2f} MB "
              f"| {ours.cpu_ms:.1f} ms | {ours.wall_ms:.1f} ms | {bench.peak(ours)} MiB "
              f"| {theirs.cpu_ms:.1f} ms | {theirs.wall_ms:.1f} ms | {bench.peak(theirs)} MiB "
              f"| {ratios[size]:.2f} |")
    print()
    goals = [(f"{size:,} models take {ratio:.2f} times as long as xmllint, at most "
              f"{MOST_TO_XMLLINT}", ratio <= MOST_TO_XMLLINT)
             for size, ratio in ratios.items() if size >= LEAST_TO_COMPARE]
    for less, more in DOUBLINGS:
        factor = costs[more, "check"].cpu_ms / costs[less, "check"].cpu_ms
        goals.append((f"{more:,} models take {factor:.2f} times as long as {less:,}, at most "
                      f"{MOST_GROWTH}", factor <= MOST_GROWTH))
    return goals


def hostile(bench):
    """Measures documents that could be slow, each in one size and in twice that size."""
    commands = {}
    for name, document in documents.HOSTILE.items():
        for size in (HOSTILE_BYTES, 2 * HOSTILE_BYTES):
            path = bench.write(f"{name} {size}.xml", document(size))
            commands[name, size] = bench.check(path)
    costs = bench.medians(commands)
    print(f"| hostile document | {HOSTILE_BYTES >> 20} MiB | {HOSTILE_BYTES >> 19} MiB | growth "
          "|\n|---|---:|---:|---:|")
    factors = {}
    for name in documents.HOSTILE:
        once, twice = costs[name, HOSTILE_BYTES], costs[name, 2 * HOSTILE_BYTES]
        factors[name] = twice.cpu_ms / once.cpu_ms
        print(f"| {name} | {once.cpu_ms:.0f} ms | {twice.cpu_ms:.0f} ms | {factors[name]:.2f} |")
    print()
    worst = max(factors, key=factors.get)
    goal = f"twice the size of '{worst}' takes {factors[worst]:.2f} times as long, at most " \
           f"{MOST_GROWTH}"
    return [(goal, factors[worst] <= MOST_GROWTH)]


if __name__ == "__main__":
    main()
