"""The pieces of work that servers are compared by."""
from typing import Any, Callable, NamedTuple

import sync
from load import KEPT

# Kinto is served by so many threads, each of which keeps a connection.
CONNECTIONS = 16


class Work(NamedTuple):
    name: str
    title: str
    # What each server does.
    about: str
    # So many times what Kinto does in a second, at least.
    least: float
    # The records of a page; None where records are made or changed.
    page: int | None = None
    # So many ask at the same time.
    connections: int = CONNECTIONS
    # It makes records, so that what came of it can be counted in the database.
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
    """How a server does a piece of work."""
    server: Any
    work: Work
    # What each request carries.
    records: int
    # Given a server that runs, and how many are needed at most, what is played.
    exchanges: Callable
    # What tells it from other ways of the same server.
    note: str = ""
    # Its throughput is held against the goal.
    is_judged: bool = True
    # Where an exchange can be played only once, more than are answered in a second.
    once: int | None = None

    @property
    def title(self):
        return f"{self.server.title}, {self.note}" if self.note else self.server.title

    @property
    def name(self):
        return f"{self.work.name}, {self.title}"


def fields(number):
    """Those of a customer of FieldService, for all servers."""
    return sync.creation(number)["fields"]


def walks(pages):
    """The pages in their order for each connection, which all begin at another one."""
    for step in range(len(pages)):
        for connection in range(CONNECTIONS):
            yield pages[(step + connection * len(pages) // CONNECTIONS) % len(pages)]


def unquoted(message):
    """The kept number is one, and no text."""
    head, _, body = message.partition(b"\r\n\r\n")
    shorter = body.replace(f'"{KEPT}"'.encode(), KEPT.encode())
    head = head.replace(f"Content-Length: {len(body)}".encode(),
                        f"Content-Length: {len(shorter)}".encode())
    return head + b"\r\n\r\n" + shorter


def check_pages(title, found, size, records):
    """Given how many records each page had: they are full, and all together are the records."""
    if sum(found) != records or any(count != size for count in found):
        raise SystemExit(f"{title} gave {sum(found):,} records in {len(found):,} pages, of "
                         f"{records:,} in pages of {size:,}")
