"""The measured workloads, by name."""
from typing import Callable, NamedTuple

import workloads
from stored import NEW

# Numbers of concurrent clients: many for short exchanges, to keep the server busy, and few for long
# ones.
MANY = 64
SOME = 16
FEW = 4
CLIENTS = 1000

# Records that an original client sends in one archive.
SENT = 100
KEEPING_NOTHING = ("--max-kept-bytes", "0")
# The maximum number of records that the server sorts.
MOST_SORTED = 100_000


class Workload(NamedTuple):
    name: str
    title: str
    # Describes an exchange.
    about: str
    # Makes the exchanges, from the database, its server and the duration in seconds.
    exchanges: Callable
    connections: int
    # The unit of the contents of an exchange, and their number.
    unit: str = "requests"
    units: int = 1
    # Whether it changes the database; each round then begins with a copy.
    writes: bool = False
    # Whether its exchanges can be played only once.
    once: bool = False
    # Whether its latency is measured at a given rate.
    paced: bool = True
    # The number of additional connections, which send one request and stay open.
    idle: int = 0
    # The name of its database.
    of: str = "service"
    # Options of `waggle serve`.
    arguments: tuple = ()


FILE_UP = Workload(
    "file-up", "a file up", "contents of 256 KiB that nobody has sent before, and a record that "
    "names them", workloads.file_up, FEW, "MB", workloads.FILE_BYTES / 1e6, writes=True, once=True)
FILE_DOWN = Workload(
    "file-down", "a file down", "contents of 256 KiB", workloads.file_down, SOME, "MB",
    workloads.FILE_BYTES / 1e6, writes=True)
ORIGINAL_PUSH = Workload(
    "original-push", f"original client, {SENT} new records",
    f"an archive of {SENT} new records up, and what others sent down: four requests",
    workloads.synchronize(SENT), 2, "records", SENT, writes=True, once=True, of="original")
ORIGINAL_NOTHING = Workload(
    "original-nothing", "original client, nothing new",
    "an archive without records up, and one down: four requests", workloads.synchronize(0), 2,
    "syncs", writes=True, of="original")


def workload_list(options):
    """All workloads, with the numbers of records and clients in `options`."""
    records, clients = options.records, options.clients
    original = options.original_records
    return [
        *pushes(clients), *pulls(records), *finds(records),
        Workload("sign-in", "sign-in", "a password is compared, and a session begins",
                 workloads.sign_in, FEW, "sessions", writes=True),
        FILE_UP, FILE_DOWN, ORIGINAL_PUSH, ORIGINAL_NOTHING,
        Workload("original-first", f"original client, first sync of {original:,}",
                 "all records in one archive: three requests", workloads.synchronize_all, 1,
                 "records", original, writes=True, paced=False, of="original"),
    ]


def pushes(clients):
    push = workloads.push(1)
    return [
        Workload("push-1", "push of one change", "a new customer, of seven fields", push, MANY,
                 "changes", writes=True),
        Workload("push-100", "push of 100 changes", "100 new customers, which come back in the "
                 "answer", workloads.push(100), FEW, "changes", 100, writes=True),
        Workload("conflicts", "conflicts of all modes", "a record of each conflict mode is "
                 "created, and changed by two devices that do not know of each other; what has to "
                 "be is resolved: four requests", workloads.conflicts, SOME, "changes", 13,
                 writes=True, of="modes"),
        Workload("idle-clients", f"push of one change, {clients:,} idle clients",
                 f"a new customer, while {clients:,} other connections have synced once and stay "
                 "open", push, MANY, "changes", writes=True, idle=clients),
        Workload("active-clients", f"push of one change, {clients:,} active clients",
                 f"a new customer; {clients:,} connections push at the same time", push, clients,
                 "changes", writes=True),
    ]


def pulls(records):
    return [
        Workload("pull-nothing", "pull of nothing", "nothing is new", workloads.pull_of_nothing,
                 MANY, "pulls"),
        Workload("pull-100", f"pull of {NEW} new, all fields", f"{NEW} customers are new",
                 workloads.pull_of_new(0), SOME, "records", NEW),
        Workload("pull-100-partly", f"pull of {NEW} new, some fields",
                 f"{NEW} customers are new, of which the role may not read two of seven fields",
                 workloads.pull_of_new(1), SOME, "records", NEW),
        Workload("first-sync", f"first sync of {records:,}, all fields",
                 "all records, in pages of 1,000; others have begun before, so the server has kept "
                 "what it has room for", workloads.first_sync(0), 2, "records", records,
                 paced=False),
        Workload("first-sync-read", f"first sync of {records:,}, all fields, none kept",
                 "all records, in pages of 1,000, each of them read and put into words",
                 workloads.first_sync(0), 2, "records", records, paced=False,
                 arguments=KEEPING_NOTHING),
        Workload("first-sync-partly", f"first sync of {records:,}, some fields, none kept",
                 "the same; half of the records have two fields of seven that the role may not "
                 "read", workloads.first_sync(1), 2, "records", records, paced=False,
                 arguments=KEEPING_NOTHING),
    ]


def finds(records):
    indexed = Workload(
        "find-indexed", "find by a relation, sorted", "the ten sites of a customer by name",
        workloads.find_by_relation, SOME, "questions")
    if records // 2 > MOST_SORTED:
        return [indexed]
    return [indexed, Workload(
        "find-scan", f"find by a text, sorted, of {records // 2:,}",
        "the 20 last sites by name whose names begin alike: all sites are looked at",
        workloads.find_by_text, FEW, "questions")]
