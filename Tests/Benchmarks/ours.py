"""Runs Waggle for comparison with other servers, with the definition FieldService, whose roles have
rights per field."""
import contextlib
import copy
import shutil
import sqlite3

import sync
import workloads
from load import KEPT, Fresh, Request
from pieces import CONNECTIONS, Way, check_pages, fields, unquoted, walks
from served import DISPATCHER, TECHNICIAN, Server, Site
from stored import BATCH, FIELD_SERVICE
from sync import tell

DEVICES = 4
FEW, MANY = 25, 100


class Waggle:
    name = "waggle"
    title = "Waggle"
    about = "SQLite in the server's process; rights of each field by role"
    durability = "SQLite, synchronous FULL"
    # Goals apply to the server with its default settings.
    is_judged = True

    def __init__(self, options, folder):
        self.waggle = options.waggle
        self.records = options.records
        self.folder = folder / self.name
        self.folder.mkdir()
        # The cursors of all pages, by user and page size.
        self.pages = {}
        # The tokens of devices, by user.
        self.tokens = {}

    def prepare(self, works):
        self.empty = self.site("empty")
        with Server(self.empty) as server:
            self.tokens["empty"] = self.sign_in(server, DISPATCHER)
            self.cursor = server.client(DISPATCHER).sync(limit=1)["cursor"]
        sizes = [work.page for work in works if work.page]
        if sizes:
            self.filled = self.site("filled")
            with Server(self.filled) as server:
                self.fill(server, sizes)

    def site(self, name):
        return Site(self.waggle, self.folder / name)

    @staticmethod
    def sign_in(server, user):
        return [server.client(user).token for _ in range(DEVICES)]

    def fill(self, server, sizes):
        tell(f"storing {2 * self.records:,} records in {self.title}")
        users = (DISPATCHER, TECHNICIAN)
        clients = {user: server.client(user) for user in users}
        self.push(clients[DISPATCHER])
        cursors = {user: clients[user].everything(BATCH)[1] for user in users}
        self.push(clients[DISPATCHER])
        for user in users:
            self.tokens[user] = self.sign_in(server, user)
            for size in sizes:
                self.pages[user, size] = self.walk(clients[user], cursors[user], size)

    def push(self, client):
        known = []
        for start in range(0, self.records, BATCH):
            changes = [sync.creation(number) for number in range(start, start + BATCH)]
            client.sync(limit=1, changes=changes, acknowledged=known)
            known = [change["id"] for change in changes]

    def walk(self, client, cursor, size):
        """The cursor of each page."""
        cursors, found, more = [], [], True
        while more:
            cursors.append(cursor)
            page = client.sync(cursor=cursor, limit=size)
            found.append(len(page["records"]))
            cursor, more = page["cursor"], page["more"]
        check_pages(self.title, found, size, self.records)
        return cursors

    def ways(self, work):
        if work.page:
            return [Way(self, work, work.page, self.pulls(work.page, user), note=user.gets,
                        is_judged=self.is_judged) for user in (DISPATCHER, TECHNICIAN)]
        return {"create": [Way(self, work, 1, self.pushes(1), is_judged=self.is_judged)],
                "batch": [Way(self, work, FEW, self.pushes(FEW), f"{FEW} a request", False),
                          Way(self, work, MANY, self.pushes(MANY), f"{MANY} a request",
                              self.is_judged)],
                "update": [Way(self, work, 1, self.updates, is_judged=self.is_judged)]}[work.name]

    def pulls(self, size, user):
        def exchanges(server, most):
            tokens = self.tokens[user]
            for number, cursor in enumerate(walks(self.pages[user, size])):
                yield [Request(workloads.sync(tokens[number % DEVICES], cursor=cursor,
                                              limit=size))]
        return exchanges

    def pushes(self, count):
        def exchanges(server, most):
            for token in self.tokens["empty"]:
                fresh = Fresh()
                changes = [FIELD_SERVICE.new_parent(fresh, number) for number in range(count)]
                yield [Request(workloads.sync(token, cursor=self.cursor, limit=count,
                                              **workloads.pushed(changes)),
                               expected=workloads.ACCEPTED)]
        return exchanges

    def updates(self, server, most):
        client = server.client(DISPATCHER)
        made = [sync.creation(number) for number in range(CONNECTIONS)]
        cursor = client.sync(changes=made, limit=CONNECTIONS)["cursor"]
        for number, creation in enumerate(made):
            fresh = Fresh()
            change = {"id": fresh(), "action": "update", "model": "customer",
                      "guid": creation["guid"], "base": KEPT, "ifStale": "refuse",
                      "fields": {**fields(number), "internalNotes": f"Rings {fresh()}"}}
            token = self.tokens["empty"][number % DEVICES]
            yield [Request(
                unquoted(workloads.sync(token, cursor=cursor, limit=1,
                                        **workloads.pushed([change]))),
                expected='number 1 "outcome":"accepted","revision":')]

    @contextlib.contextmanager
    def running(self, work):
        if work.page:
            with Running(self, self.filled) as server:
                yield server
            return
        site = self.copied(self.empty)
        try:
            with Running(self, site) as server:
                yield server
        finally:
            self.remove(site)

    def copied(self, site):
        return site.copied(self.folder / "round")

    def remove(self, site):
        shutil.rmtree(site.folder)

    def count(self, site):
        with contextlib.closing(sqlite3.connect(f"file:{site.database}?mode=ro", uri=True)) as file:
            return file.execute("SELECT count(*) FROM records").fetchone()[0]


class WaggleOnPostgres(Waggle):
    name = "waggle-postgres"
    title = "Waggle on PostgreSQL"
    about = "the same with one process beside PostgreSQL"
    is_judged = False

    def __init__(self, options, folder, cluster):
        super().__init__(options, folder)
        self.cluster = cluster
        self.durability = cluster.durability()

    def prepare(self, works):
        super().prepare(works)
        if any(work.page for work in works):
            self.cluster.analyze("waggle_filled")

    def site(self, name):
        return Site(self.waggle, self.folder / name, self.cluster.database(f"waggle_{name}"))

    def copied(self, site):
        twin = copy.copy(site)
        twin.database = self.cluster.database("waggle_round", template="waggle_empty")
        return twin

    def remove(self, site):
        self.cluster.run("dropdb", "--force", "waggle_round")

    def count(self, site):
        return int(self.cluster.run("psql", "-Atc", "SELECT count(*) FROM records",
                                    site.database))


class Running(Server):
    def __init__(self, ours, site):
        super().__init__(site)
        self.ours, self.site = ours, site

    def count(self):
        """The records that are stored."""
        return self.ours.count(self.site)
