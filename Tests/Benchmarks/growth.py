"""Measures how costs grow with the number of stored records, and of fields of a record."""
from typing import NamedTuple

import foreign
import stored
from rig import in_turns, processor_ms, spread
from suite import FILE_DOWN, FILE_UP, KEEPING_NOTHING, ORIGINAL_NOTHING, ORIGINAL_PUSH, Workload
import workloads

FIELDS = [1, 10, 100]
USUAL_FIELDS = 10
MOST_GROWTH = 1.3

# One client at a time, so that no time is spent in queues.
WORKLOADS = [
    Workload("pull-nothing", "pull of nothing", "nothing is new", workloads.pull_of_nothing, 1),
    Workload("pull-100", "pull of 100 new", "100 records are new", workloads.pull_of_new(0), 1),
    Workload("first-pages", f"first {workloads.FIRST_PAGES} pages of a first sync",
             "1,000 records each, none of them kept from before", workloads.first_pages, 1,
             arguments=KEEPING_NOTHING),
    Workload("push-1", "push of one change", "a new record", workloads.push(1), 1, writes=True),
    Workload("push-100", "push of 100 changes", "100 new records, which come back in the answer",
             workloads.push(100), 1, writes=True),
    Workload("conflict", "conflict", "a record is created, and changed by two devices that do not "
             "know of each other; one of them resolves it: four requests", workloads.conflict, 1,
             writes=True),
    *(item._replace(connections=1)
      for item in (FILE_UP, FILE_DOWN, ORIGINAL_PUSH, ORIGINAL_NOTHING)),
    Workload("find-indexed", "find by a relation, sorted", "ten records of one that they belong to",
             workloads.find_by_relation, 1),
    Workload("azure-filter", "filter of a client of Azure Mobile",
             "by a relation, sorted: ten records of one that they belong to",
             foreign.azure_filter, 1, arguments=("--azure",)),
    Workload("sign-in", "sign-in", "a password is compared, and a session begins",
             workloads.sign_in, 1, writes=True),
]


class Cell(NamedTuple):
    """A workload on a database with this number of records and fields."""
    workload: Workload
    records: int
    fields: int

    @property
    def name(self):
        return f"{self.workload.name} {self.records} {self.fields}"

    @property
    def title(self):
        return f"{self.workload.title}, {self.records:,} records of {self.fields} fields"


def measured(rig, chosen):
    """The entries of the report, one for each workload and axis."""
    sizes = rig.options.sizes
    places = [(records, USUAL_FIELDS) for records in sizes]
    places += [(sizes[0], fields) for fields in FIELDS if fields != USUAL_FIELDS]
    # With a million records, the first sync of an original client takes long.
    form = stored.Originals if any(item.of == "original" for item in chosen) else stored.Stored
    databases = {place: stored.items_site(
        rig.options.waggle, rig.folder / f"items-{place[0]}-{place[1]}", *place, form)
        for place in places}
    cells = [Cell(workload, *place) for workload in chosen for place in places]
    found = in_turns(rig.options.rounds, "growth", cells, lambda cell: rig.play(
        cell.workload, databases[cell.records, cell.fields]))
    most = None if rig.options.smoke else MOST_GROWTH
    return [entry(workload, "records", sizes, most,
                  [found[Cell(workload, records, USUAL_FIELDS).name] for records in sizes])
            for workload in chosen] + [
        entry(workload, "fields", FIELDS, None,
              [found[Cell(workload, sizes[0], fields).name] for fields in FIELDS])
        for workload in chosen]


def entry(workload, axis, sizes, most, rounds):
    """The cost is the duration of an exchange in milliseconds. The fastest round counts, because
    other load of the machine can only slow a round down."""
    costs = [spread(1000 / each.rate for each in found) for found in rounds]
    processor = [spread(processor_ms(each) for each in found) for found in rounds]
    factor = costs[-1]["least"] / costs[0]["least"]
    return {
        "name": workload.name, "title": workload.title, "about": workload.about, "axis": axis,
        "sizes": sizes, "cost": costs, "processor": processor,
        "memory": [spread(each.peak_mb for each in found) for found in rounds],
        "growth": factor,
        "processorGrowth": processor[-1]["least"] / processor[0]["least"],
        "most": most, "holds": most is None or factor <= most}


def tell_goals(entries):
    """Prints the goals, and returns the exit code."""
    for found in entries:
        if found["most"] is None:
            continue
        sizes = found["sizes"]
        print(f"{'holds' if found['holds'] else 'MISSED'}: {found['title']} costs "
              f"{found['growth']:.2f} times as much with {sizes[-1]:,} records as with "
              f"{sizes[0]:,}, at most {found['most']}")
    return 0 if all(found["holds"] for found in entries) else 1
