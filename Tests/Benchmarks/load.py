"""Builds the load generator, writes its input, and reads its results."""
import json
import math
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

SOURCES = Path(__file__).parent / "Load"
PROGRAM = Path(__file__).parents[2] / ".build" / "bench" / "load"

# A placeholder for the response to the first request of an exchange.
ANSWER = "ffffffff-ffff-4fff-8fff-ffffffffffff"

# A placeholder for the stored number of an exchange.
KEPT = "ffffffff-ffff-4fff-8fff-eeeeeeeeeeee"

# A percentile needs this number of values above it to be stable.
LEAST_ABOVE = 2


def earlier(guid):
    """A placeholder for the value of a guid in an earlier play of the exchange. Each play is named
    once, and plays without a response never."""
    return guid.replace("-8fff-", "-8ffe-")


def pushed(changes):
    """Acknowledges the outcomes of the previous changes, as clients do."""
    return {"changes": changes, "acknowledged": [earlier(change["id"]) for change in changes]}


class Request(NamedTuple):
    message: bytes
    status: int = 200
    # "with TEXT" or "without TEXT": the response must contain the text, or must not. With
    # "number N TEXT", the number after TEXT is stored; it is N at first.
    expected: str = ""


class Fresh:
    """Makes distinct placeholders for guids. In each play of an exchange, they become new guids."""

    def __init__(self):
        self.count = 0

    def __call__(self):
        self.count += 1
        return f"ffffffff-ffff-4fff-8fff-{self.count:012x}"


def build():
    """The path of the program, which is compiled if its sources are newer."""
    sources = sorted(SOURCES.glob("*.swift"))
    made = PROGRAM.stat().st_mtime if PROGRAM.exists() else 0
    if all(path.stat().st_mtime < made for path in SOURCES.rglob("*") if path.is_file()):
        return PROGRAM
    PROGRAM.parent.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        ["swiftc", "-O", "-wmo", "-parse-as-library", "-swift-version", "6", "-warnings-as-errors",
         "-module-name", "LoadGenerator", "-I", str(SOURCES / "CLinux"),
         *map(str, sources), "-o", str(PROGRAM)], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"the load generator does not compile: {done.stdout}{done.stderr}")
    return PROGRAM


def write(path, exchanges):
    with path.open("wb") as file:
        for exchange in exchanges:
            for number, request in enumerate(exchange):
                line = f"{'then' if number else 'first'} {request.status} {len(request.message)}"
                expected = f" {request.expected}" if request.expected else ""
                file.write(f"{line}{expected}\n".encode() + request.message)
    return path


def play(path, port, **options):
    """The figures, as in `load --help`. `options` are its options; those of `None` are omitted."""
    words = [PROGRAM, path, "--port", port]
    for name, value in options.items():
        flag = "--" + name.replace("_", "-")
        words += [flag] if value is True else [] if value in (None, False) else [flag, value]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True)
    if done.returncode:
        raise LoadFailed(done.stderr.strip().removeprefix("load: "))
    return json.loads(done.stdout)


class LoadFailed(Exception):
    """A failure with the message of the load generator."""


# Latencies.

class Latency:
    """The distribution of the durations of exchanges."""

    def __init__(self, histograms):
        self.counts = {}
        for histogram in histograms:
            for up_to, count in histogram["buckets"]:
                self.counts[up_to] = self.counts.get(up_to, 0) + count
        self.count = sum(self.counts.values())
        self.most = max((histogram["max"] for histogram in histograms), default=0)

    def percentile(self, percent):
        """A percentile in microseconds; None with too few values."""
        rank = math.ceil(self.count * percent / 100)
        if self.count == 0 or (percent > 50 and self.count - rank < LEAST_ABOVE):
            return None
        seen = 0
        for up_to, count in sorted(self.counts.items()):
            seen += count
            if seen >= rank:
                return min(up_to, self.most)
        return self.most

    def curve(self):
        """Points of percent and microseconds, denser towards 100 percent."""
        percents, left = [0.0], 100.0
        while left > 1e-4:
            left /= 1.2589254117941673
            percents.append(100 - left)
        points = [(percent, self.percentile(percent)) for percent in percents]
        return [[round(percent, 5), value] for percent, value in points if value is not None]
