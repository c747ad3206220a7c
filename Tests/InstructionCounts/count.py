#!/usr/bin/env python3
"""Counts the instructions and the allocations of hot paths on fixed input, and compares them with
what is recorded; `make instructions`.

  count.py                    which paths take over 10% more than is recorded: exit code 1 if any
  count.py --record           write down what they take now, for a change that means it

callgrind runs each path when it is warm. Counts do not depend on how busy the machine is, as
times do; they say nothing of waiting, of the kernel or of the disk. They do depend on the kind of
processor and on the libraries: where these are not those of the record, nothing fails.
"""
import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
RECORDED = HERE / "recorded.json"
DEFINITION = HERE.parents[1] / "Definitions" / "FieldService" / "application.xml"
MOST_GROWTH = 1.1
# A request of a client of another product takes at most so many times the instructions of the
# native one that does the same. The goal is 1.5. Two do not reach it: rows of Azure Mobile, each of
# which has two times and a version, and a creation by Parse, which names the new object and checks
# its access list.
PAIRS = [
    ("request for 100 records", "request for 100 rows of Azure Mobile", 2.0),
    ("request for 1000 records", "request for 1000 rows of Azure Mobile", 2.0),
    ("request for the sites of a customer", "request for the objects of a pointer of Parse", 1.5),
    ("request to create a record", "request to create an object of Parse", 1.7),
]
ALLOCATORS = {"malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"}
# It takes half a minute.
MOST_SECONDS = 900
KINDS = ["instructions", "allocations"]


class Count(NamedTuple):
    instructions: int
    allocations: int


def main():
    options = arguments()
    with tempfile.TemporaryDirectory(prefix="waggle-counts-") as folder:
        found = counted(options.program, Path(folder))
    if options.record:
        RECORDED.write_text(json.dumps({"ground": ground(), "paths": {
            name: count._asdict() for name, count in found.items()}}, indent=1) + "\n")
        print(f"{RECORDED.name} has the counts of {len(found)} paths")
        return
    record = json.loads(RECORDED.read_text())
    recorded = {name: Count(**count) for name, count in record["paths"].items()}
    print(table(found, recorded))
    faults = list(fault_list(found, recorded))
    for fault in faults:
        print(fault, file=sys.stderr)
    if other := [f"{name} {now}, not {record['ground'].get(name)}"
                 for name, now in ground().items() if now != record["ground"].get(name)]:
        print(f"this is not the ground of the record ({'; '.join(other)}), so nothing fails")
        return
    sys.exit(1 if faults else 0)


def ground():
    """The versions, other than the code, that counts depend on."""
    packages = {name: package_version(name)
                for name in ("libc6", "libsqlite3-0", "libxml2", "valgrind")}
    swift = run(["swift", "--version"]).splitlines()[0]
    flags = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    return {"processor": f"{platform.machine()}{' with AVX2' if ' avx2 ' in flags else ''}",
            "swift": swift, **packages}


def package_version(name):
    if not shutil.which("dpkg-query"):
        return "unknown"
    return run(["dpkg-query", "--show", "--showformat=${Version}", name])


# Counting


def counted(program, folder):
    """The counts by path, in the order of execution."""
    stripped = folder / "program"
    # Valgrind exits if it cannot read the debug information.
    run(["strip", "--strip-debug", "-o", stripped, program])
    told = run([
        "valgrind", "--tool=callgrind", f"--callgrind-out-file={folder}/callgrind",
        # A dump contains the work of all threads since the last one.
        "--dump-before=*countingBegins*", "--dump-before=*countingEnds*", stripped, DEFINITION,
        folder,
    ], SWIFT_DETERMINISTIC_HASHING="1").splitlines()
    dumps = sorted(folder.glob("callgrind.*"), key=lambda path: int(path.suffix[1:]))
    if len(dumps) != 2 * len(told):
        sys.exit(f"count.py: {len(told)} paths were run, and callgrind told of {len(dumps)} "
                 "pieces: has 'countingBegins' another name?")
    found = {}
    for line, dump in zip(told, dumps[1::2]):
        times, name = line.split(" ", 1)
        found[name] = Count(*(total // int(times) for total in count(dump.read_text())))
    return found


def run(command, **environment):
    try:
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                              env={**os.environ, **environment}, timeout=MOST_SECONDS)
    except subprocess.TimeoutExpired:
        sys.exit(f"count.py: '{command[0]}' was not done in {MOST_SECONDS} s")
    if done.returncode:
        sys.exit(f"count.py: '{command[0]}' failed\n{done.stderr[-4000:]}")
    return done.stdout


def count(profile):
    """Reads names of callgrind, which abbreviates repeated names to numbers."""
    names, callee, allocations = {}, None, 0
    for line in profile.splitlines():
        if named := re.match(r"c?fn=\((\d+)\)(?: (.*))?", line):
            number, name = named.groups()
            names.setdefault(number, name)
            if line.startswith("c"):
                callee = names[number]
        elif line.startswith("calls=") and callee in ALLOCATORS:
            allocations += int(line[6:].split()[0])
    total = re.search(r"^(?:totals|summary): (\d+)", profile, re.M)
    if not total:
        sys.exit("count.py: callgrind wrote no total")
    return Count(int(total[1]), allocations)


# Comparing


def table(found, recorded):
    lines = ["| | instructions | as recorded | allocations | as recorded |",
             "| --- | ---: | ---: | ---: | ---: |"]
    for name, count in found.items():
        cells = [name]
        for kind in KINDS:
            now, before = getattr(count, kind), getattr(recorded.get(name), kind, None)
            cells += [f"{now:,}", f"{now / before:.3f}" if before else "not recorded"]
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def fault_list(found, recorded):
    for native, foreign, most in PAIRS:
        ratio = found[foreign].instructions / found[native].instructions
        print(f"'{foreign}' takes {ratio:.2f} times the instructions of '{native}'")
        if ratio > most:
            yield f"'{foreign}' takes more than {most} times as much as '{native}'"
    for name in found.keys() ^ recorded.keys():
        yield f"'{name}' is {'recorded, but not run' if name in recorded else 'not recorded'}: " \
              "if it has to be so, 'make instructions RECORD=yes'"
    for name in found.keys() & recorded.keys():
        for kind in KINDS:
            now, before = getattr(found[name], kind), getattr(recorded[name], kind)
            if not now and before:
                yield f"'{name}' takes no {kind} at all: is it still run?"
            elif now > before * MOST_GROWTH:
                yield f"'{name}' takes {now:,} {kind}, {now / before:.2f} times the {before:,} " \
                      "that are recorded: if it has to, 'make instructions RECORD=yes'"
            elif now * MOST_GROWTH < before:
                print(f"'{name}' takes {before / now:.2f} times less {kind}: keep it with "
                      "'make instructions RECORD=yes'")


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=".build/release/InstructionCounts",
                        help="a release build")
    parser.add_argument("--record", action="store_true", help="write down what is found")
    options = parser.parse_args()
    for tool in ["valgrind", "strip", options.program]:
        if not shutil.which(tool):
            parser.error(f"'{tool}' is not there: run 'make instructions'")
    if not options.record and not RECORDED.exists():
        parser.error("nothing is recorded: run it with '--record'")
    return options


if __name__ == "__main__":
    main()
