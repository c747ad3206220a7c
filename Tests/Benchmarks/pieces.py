"""The workloads for the comparison of servers."""
from typing import Any, Callable, NamedTuple

import sync
from load import KEPT

# The number of threads of Kinto, each of which occupies a connection.
CONNECTIONS = 16


class Work(NamedTuple):
    name: str
    title: str
    # The task of each server.
    about: str
    # The minimum rate, as a multiple of Kinto's.
    least: float
    # The page size; None if records are created or changed.
    page: int | None = None
    # The number of concurrent clients.
    connections: int = CONNECTIONS
    # Whether it creates records, so that the result can be counted in the database.
    makes: bool = False


WORKS = [
    Work("create", "create", "a new record of seven fields in each request", 30, makes=True),
    Work("batch", "batch create", "as many new records in a request as a server takes, or does "
         "best", 100, makes=True),
    Work("update", "conditional update", "a record is sent whole, with one field changed, and "
         "taken if it has still the version that the last answer told; each connection has its own",
         30),
    Work("pull-100", "incremental pull, 100 a page", "the records that are new since a moment "
         "before which there were as many, in pages of 100", 15, page=100),
    Work("pull-1000", "incremental pull, 1,000 a page", "the same records in pages of 1,000", 5,
         page=1000),
    Work("pull-100-alone", "incremental pull of one client, 100 a page", "the same, by one client "
         "after the other", 15, page=100, connections=1),
    Work("pull-1000-alone", "incremental pull of one client, 1,000 a page", "the same, by one "
         "client after the other", 5, page=1000, connections=1),
]


class Way(NamedTuple):
    """A way in which a server executes a workload."""
    server: Any
    work: Work
    # The number of records in each request.
    records: int
    # Makes the exchanges for a running server; also takes the maximum number needed.
    exchanges: Callable
    # Distinguishes it from other ways of the same server.
    note: str = ""
    # Whether its throughput is compared with the goal.
    is_judged: bool = True
    # For exchanges that can be played only once: more than are processed per second.
    once: int | None = None

    @property
    def title(self):
        return f"{self.server.title}, {self.note}" if self.note else self.server.title

    @property
    def name(self):
        return f"{self.work.name}, {self.title}"


def fields(number):
    """The fields of a customer of FieldService, for all servers."""
    return sync.creation(number)["fields"]


def walks(pages):
    """The pages in order; each connection begins with a different one."""
    for step in range(len(pages)):
        for connection in range(CONNECTIONS):
            yield pages[(step + connection * len(pages) // CONNECTIONS) % len(pages)]


def unquoted(message):
    """Writes the stored number as a number, not as a string."""
    head, _, body = message.partition(b"\r\n\r\n")
    shorter = body.replace(f'"{KEPT}"'.encode(), KEPT.encode())
    head = head.replace(f"Content-Length: {len(body)}".encode(),
                        f"Content-Length: {len(shorter)}".encode())
    return head + b"\r\n\r\n" + shorter


def check_pages(title, found, size, records):
    """Checks that all pages are full, and contain all records together."""
    if sum(found) != records or any(count != size for count in found):
        raise SystemExit(f"{title} gave {sum(found):,} records in {len(found):,} pages, of "
                         f"{records:,} in pages of {size:,}")
