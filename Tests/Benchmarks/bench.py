#!/usr/bin/env python3
"""Measures requests of clients to `waggle serve`, and `compile` and `generate`: `make bench`, `make
bench-growth`, `make bench-limits`, `make bench-peers` and `make bench-compare`.

  bench.py                    each workload, into a report as JSON and as HTML
  bench.py --growth           the growth of the cost of pulls, pushes and finds with stored records
  bench.py --limits           pushes, pulls and first syncs compared with their upper bounds
  bench.py --peers            Waggle compared with Kinto and etcd, installed into the build folder
  bench.py compare A B        the differences between two reports

A load generator on the same machine runs each workload in two ways. In a closed loop, each
connection sends its next request as soon as it has a response; this measures the throughput. In an
open loop, exchanges begin at random moments at half that rate, whether or not earlier ones have
ended, and latencies are measured from the scheduled start. Each round has a new server process and
a copy of the database. Rounds of all workloads alternate, so that other load of the machine affects
all of them. A report has the median, the minimum and the maximum of all rounds.
"""
import argparse
import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

import checks
import commands
import compare
import growth
import limits
import load
import machine
import peers
import pieces
import report
import tables
from rig import Rig, in_turns, measured
from suite import workload_list
from sync import tell

FORMAT = 1
SMOKE = {"rounds": 1, "seconds": 1.0, "warm_up": 0.2, "records": 2_000, "clients": 100,
         "models": 100, "sizes": [1_000, 2_000]}
SMOKE_OF_PEERS = {"records": 1_000}
USUAL = {"rounds": 5, "seconds": 5.0, "warm_up": 1.0, "records": 100_000, "clients": 1_000,
         "models": 1_000, "sizes": [10_000, 100_000, 1_000_000]}
USUAL_OF_PEERS = {"rounds": 3, "seconds": 3.0, "records": 10_000}
MOST_ORIGINAL_RECORDS = 10_000
# The server closes connections that are idle for a minute.
MOST_SECONDS = 50
NO_SUCH_NAME = "bench.py: nothing has one of these names, see '--list'"


def main():
    if sys.argv[1:2] == ["compare"]:
        sys.exit(compare.main(sys.argv[2:]))
    options = arguments()
    load.build()
    if options.smoke:
        checks.check()
        if options.limits:
            checks.check_limits(options.limit_benchmark)
    with tempfile.TemporaryDirectory(prefix="waggle-bench-") as folder:
        folder = Path(folder)
        found = measure(options, folder)
    tell("")
    whole = {"format": FORMAT, "machine": machine.facts(options.waggle),
             "settings": settings(options), **found}
    write(whole, options.out)
    sys.exit(growth.tell_goals(whole["growth"]) if options.growth
             else limits.tell_goals(whole["limits"]) if options.limits
             else peers.tell_goals(whole["peers"]) if options.peers else 0)


def measure(options, folder):
    if options.peers:
        return {"peers": peers.measured(options, folder, chosen(pieces.WORKS, options))}
    rig = Rig(options, folder)
    if options.growth:
        return {"growth": growth.measured(rig, chosen(growth.WORKLOADS, options))}
    if options.limits:
        return {"limits": limits.measured(
            rig, chosen(limits.comparison_list(options, folder), options))}
    return {"workloads": suite(rig, options, folder)}


def suite(rig, options, folder):
    served = [item for item in workload_list(options) if is_chosen(item.name, options.only)]
    run = [item for item in commands.command_list(options, folder)
           if is_chosen(item.name, options.only)]
    if not served and not run:
        sys.exit(NO_SUCH_NAME)
    commands.write_documents(options, folder)
    rounds = in_turns(options.rounds, "the tool", run,
                      lambda item: commands.run(item, options.seconds))
    return measured(rig, served) + [commands.entry(item, rounds[item.name]) for item in run]


def chosen(items, options):
    found = [item for item in items if is_chosen(item.name, options.only)]
    if not found:
        sys.exit(NO_SUCH_NAME)
    return found


def is_chosen(name, only):
    """Whether an argument selects the workload: `pull` selects `pull-100` too."""
    return not only or any(name == word or name.startswith(f"{word}-") for word in only)


def settings(options):
    names = ["rounds", "seconds", "warm_up", "smoke"]
    names += ["sizes"] if options.growth else ["records"] if options.peers \
        else ["records", "clients", "models"]
    return {name: getattr(options, name) for name in names}


def write(whole, folder):
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.json").write_text(json.dumps(whole, indent=1) + "\n")
    (folder / "report.html").write_text(report.page(whole))
    print(tables.text(whole))
    print(f"{folder}/report.html has charts, {folder}/report.json all figures")


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--out", type=Path, default=Path(".build/bench"), metavar="FOLDER",
                        help="where report.json and report.html go (.build/bench)")
    parser.add_argument("--only", type=lambda text: text.split(","), metavar="NAMES",
                        help="only these, with commas between; 'pull' is all whose names begin so")
    parser.add_argument("--list", action="store_true", help="say what can be measured, and end")
    instead = parser.add_mutually_exclusive_group()
    instead.add_argument("--growth", action="store_true", help="measure growth instead")
    instead.add_argument("--limits", action="store_true", help="measure limits instead")
    instead.add_argument("--peers", nargs="?", type=lambda text: text.split(","), metavar="NAMES",
                         const=peers.NAMES, help="measure Waggle beside other servers instead: "
                         f"{' and '.join(peers.NAMES)}, or only those that are named")
    parser.add_argument("--limit-benchmark", default=".build/release/LimitBenchmark",
                        metavar="PROGRAM", help="a release build, for limits")
    parser.add_argument("--smoke", action="store_true",
                        help="one round of a second each, of few records: only to see that all of "
                             "it works")
    number(parser, "--rounds", int, "how often each is measured")
    number(parser, "--seconds", float, "how long each time")
    number(parser, "--warm-up", float, "how long it is played before, without being measured")
    number(parser, "--records", int, "how many are stored; a multiple of 1,000")
    number(parser, "--clients", int, "how many are many clients")
    number(parser, "--models", int, "how many are many models")
    parser.add_argument("--sizes", type=lambda text: [int(word) for word in text.split(",")],
                        help="for growth: how many records are stored "
                             f"({','.join(map(str, USUAL['sizes']))})")
    return completed(parser)


def number(parser, flag, kind, words):
    usual = USUAL[flag.strip("-").replace("-", "_")]
    parser.add_argument(flag, type=kind, metavar="N", help=f"{words} ({usual:,})")


def defaults(options):
    usual, of_peers = (SMOKE, SMOKE_OF_PEERS) if options.smoke else (USUAL, USUAL_OF_PEERS)
    return {**usual, **of_peers} if options.peers else usual


def completed(parser):
    options = parser.parse_args()
    for name, value in defaults(options).items():
        if getattr(options, name) is None:
            setattr(options, name, value)
    options.original_records = min(options.records, MOST_ORIGINAL_RECORDS)
    if options.list:
        tell_names(options)
        sys.exit()
    for records in [options.records, *options.sizes]:
        if records < 1000 or records % 1000:
            parser.error(f"{records:,} records are not a multiple of 1,000")
    if min(options.rounds, options.seconds, options.clients, options.models) <= 0:
        parser.error("rounds, seconds, clients and models must be more than 0")
    if options.seconds + options.warm_up > MOST_SECONDS:
        parser.error(f"a round and its warm-up may take {MOST_SECONDS} s")
    unknown = set(options.peers or []) - set(peers.NAMES)
    if unknown:
        parser.error(f"there is no peer '{min(unknown)}', only {' and '.join(peers.NAMES)}")
    if not shutil.which(options.waggle):
        parser.error(f"'{options.waggle}' is not there: run 'make bench'")
    # Some commands run in another working directory.
    options.waggle = os.path.abspath(shutil.which(options.waggle))
    missing = [name for name in (options.limit_benchmark, "xmllint") if not shutil.which(name)]
    if options.limits and missing:
        parser.error(f"'{missing[0]}' is not there: run 'make setup' and 'make bench-limits'")
    return options


def tell_names(options):
    if options.limits:
        for item in limits.comparison_list(options, Path()):
            print(f"{item.name:18} {item.title}")
        return
    listed = pieces.WORKS if options.peers else growth.WORKLOADS if options.growth \
        else workload_list(options) + commands.command_list(options, Path())
    for item in listed:
        print(f"{item.name:18} {item.title}: {item.about}")


if __name__ == "__main__":
    main()
