"""Measures the tool's commands for definitions as processes."""
import shutil
from pathlib import Path
from typing import NamedTuple

import documents
from compile import measured
from rig import spread
from served import DEFINITION

MANY = "many.xml"
# The maximum number of runs in a round.
RUNS = 3


class Command(NamedTuple):
    name: str
    title: str
    about: str
    words: list
    # Deleted before each run, so that each run writes everything.
    output: Path


def command_list(options, folder):
    found = []
    for name, path, what in (("service", DEFINITION, "FieldService, ten models"),
                             ("many", folder / MANY, f"{options.models:,} models")):
        for verb, about in (("compile", "a checked definition as JSON"),
                            ("generate", "typed models in Swift, a file each")):
            output = folder / f"{verb}-{name}"
            found.append(Command(
                f"{verb}-{name}", f"{verb} {what}", about,
                [options.waggle, verb, str(path), "--output", str(output)], output))
    return found


def write_documents(options, folder):
    with (folder / MANY).open("w", encoding="utf-8") as file:
        file.writelines(documents.definition(options.models))


def run(command, seconds):
    """Repeats the command until the time is over, at most `RUNS` times."""
    costs = []
    while not costs or (len(costs) < RUNS and sum(cost.wall_ms for cost in costs) < seconds * 1000):
        costs.append(measured_once(command))
    return costs


def measured_once(command):
    if command.output.is_dir():
        shutil.rmtree(command.output)
    command.output.unlink(missing_ok=True)
    return measured(command.words)


def entry(command, rounds):
    costs = [cost for found in rounds for cost in found]
    return {
        "name": command.name, "kind": "command", "title": command.title, "about": command.about,
        "runs": len(costs), "wall": spread(cost.wall_ms for cost in costs),
        "processor": spread(cost.cpu_ms for cost in costs), **memory(costs),
    }


def memory(costs):
    """Empty if the peak cannot be distinguished from the memory of this program."""
    hidden_mib = 1.02 * measured(["true"]).peak_mib
    known = [cost.peak_mib * 1.048576 for cost in costs if cost.peak_mib > hidden_mib]
    return {"memory": spread(known)} if len(known) == len(costs) else {}
