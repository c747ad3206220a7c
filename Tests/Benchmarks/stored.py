"""Databases with records in them, each filled once and then served as often as it is needed."""
from typing import Callable, NamedTuple

import definitions
import device
import load
import original
import sync
from load import Fresh, Request
from served import DISPATCHER, TECHNICIAN, Server, Site, User, request
from sync import tell

BATCH = 1000
# So many of the records are new to whoever has all of those before them.
NEW = 100
CHILDREN_OF_A_PARENT = 10
# How many devices of each user are signed in.
DEVICES = 4
FILLING_CONNECTIONS = 2
# What each of them has is stored, which is why there are few.
ORIGINAL_DEVICES = 2

ANNA = User("anna", "users", "mobile", "all fields")
BERT = User("bert", "users", "mobile", "all fields")


class Kind(NamedTuple):
    """What is stored: parents, and children that belong to them, as many of either."""
    users: tuple
    parent: str
    child: str
    # Of the child: the field that names its parent, and one to sort by.
    relation: str
    order: str
    # What a client sends to create one, given where fresh guids come from and a number.
    new_parent: Callable
    # And given the parent's guid.
    new_child: Callable
    # Which of the two is pushed, and pulled where little is new.
    pushes_children: bool
    # One that names a file, given where fresh guids come from, a record's guid and the file.
    new_naming: Callable
    # What original clients name the application, and what they send to create a record.
    application: str
    new_original: Callable

    def batch(self, count, fresh):
        """Changes that make so many records, half of them parents."""
        parents = [self.new_parent(fresh, number) for number in range(count - count // 2)]
        children = [self.new_child(fresh, number, parents[number // CHILDREN_OF_A_PARENT]["guid"])
                    for number in range(count // 2)]
        return parents + children if self.pushes_children else children + parents

    def new(self, fresh, number, parents):
        """A change that makes one more, beside parents that are there."""
        if self.pushes_children:
            return self.new_child(fresh, number, parents[number % len(parents)])
        return self.new_parent(fresh, number)


def customer(fresh, number):
    return {**sync.creation(number), "id": fresh(), "guid": fresh()}


def site_of_customer(fresh, number, guid):
    return {**device.creation("site", fresh(), {
        "customer": guid, "name": f"Site {number:03} of {fresh()}",
        "address": f"{number} Long Road, in a town that has a name", "latitude": "52.520008",
        "longitude": "13.404954", "accessCode": f"code {number}"}), "id": fresh()}


def asset(fresh, site, file):
    return {"id": fresh(), "action": "create", "model": "asset", "guid": fresh(), "fields": {
        "site": site, "kind": "boiler", "serialNumber": fresh(), "nameplate": file}}


FIELD_SERVICE = Kind((DISPATCHER, TECHNICIAN), "customer", "site", "customer", "name", customer,
                     site_of_customer, pushes_children=False, new_naming=asset,
                     application="fieldService", new_original=original.customer)


def items(fields):
    """Items with so many fields, beside the one that names their shelf."""
    def shelf(fresh, number):
        return {**device.creation("shelf", fresh(), {"name": f"Shelf {number}"}), "id": fresh()}

    def item(fresh, number, guid):
        texts = {f"field{place}": f"{number:04} on a shelf, {place:03}"
                 for place in range(1, fields + 1)}
        return {**device.creation("item", fresh(), {"shelf": guid, **texts}), "id": fresh()}

    def label(fresh, _, file):
        return {"id": fresh(), "action": "create", "model": "label", "guid": fresh(),
                "fields": {"picture": file}}

    return Kind((ANNA,), "shelf", "item", "shelf", "field1", shelf, item, pushes_children=True,
                new_naming=label, application="bench",
                new_original=lambda number: ("shelf", {"name": f"Shelf {number}"}))


class Stored:
    """A site with records of a kind, whose users are signed in and have all of them."""

    def __init__(self, site, kind, records):
        self.site = site
        self.kind = kind
        self.records = records
        with Server(site) as server:
            self.tokens = {user: [server.client(user).token for _ in range(DEVICES)]
                           for user in kind.users}
            self.fill(server, server.client(self.user).token)
            # Of each page of a first sync, the cursor and the limit; the last one has what is new.
            self.pages = {}
            # By user, after everything.
            self.cursors = {}
            self.parents = []
            for user in kind.users:
                self.walk(server.client(user), user)

    @property
    def user(self):
        """Who may do and see everything."""
        return self.kind.users[0]

    def fill(self, server, token):
        """From a device of its own: it leaves what it was answered, which the server keeps until it
        is acknowledged, as whoever plays a workload has done with all that was before."""
        tell(f"storing {self.records:,} records")
        batch = min(BATCH, self.records)
        message = request("sync", authorization(token), {
            "changes": self.kind.batch(batch, Fresh()), "limit": 1})
        path = load.write(self.site.folder / "filling", [[
            Request(message, expected='without "outcome":"refused"')]])
        load.play(path, server.port, connections=FILLING_CONNECTIONS, seconds=24 * 3600,
                  exchanges=self.records // batch)
        path.unlink()

    def walk(self, client, user):
        tell(f"first sync of {self.records:,} records, {user.gets}")
        pages, parents, seen, cursor, more = [], {}, 0, None, True
        while more:
            old = self.records - NEW - seen
            limit = min(BATCH, old) if old > 0 else BATCH
            page = client.sync(limit=limit, cursor=cursor)
            pages.append((cursor, limit))
            for record in page["records"] if len(parents) < NEW else []:
                if record["model"] == self.kind.child:
                    parents[record["fields"][self.kind.relation]] = True
            seen += len(page["records"])
            cursor, more = page["cursor"], page["more"]
        if (seen, len(page["records"])) != (self.records, NEW):
            raise SystemExit(f"{user.login} got {seen:,} of {self.records:,} records")
        self.pages[user], self.cursors[user], self.parents = pages, cursor, list(parents)


def authorization(token):
    return f"Authorization: Bearer {token}\r\n"


class Modes:
    """A site with a model for each conflict mode, and two users who are signed in."""

    def __init__(self, waggle, folder):
        definition = written(folder.with_suffix(".xml"), definitions.modes())
        self.site = Site(waggle, folder, definition=definition, users=(ANNA, BERT))
        with Server(self.site) as server:
            self.tokens = {user: [server.client(user).token for _ in range(DEVICES)]
                           for user in (ANNA, BERT)}
            self.cursor = server.client(ANNA).sync()["cursor"]


class Originals(Stored):
    """And devices of original clients, which have all records."""

    devices = [f"device-{number}" for number in range(ORIGINAL_DEVICES)]

    def __init__(self, site, kind, records):
        super().__init__(site, kind, records)
        with Server(site) as server:
            for name in self.devices:
                tell(f"first sync of the original client {name}")
                headers = self.headers(name, server)
                ticket = original.ask(server, "POST", "synchronizeAll", b"", headers).decode()
                original.ask(server, "GET", f"data?ticket={ticket}", None, headers)
                original.ask(server, "POST", f"confirm?ticket={ticket}", b"", headers)

    def asker(self, device, server):
        """Makes requests of a device."""
        known = self.headers(device, server)

        def ask(method, path, body=b"", expected=""):
            headers = {**known, "content-length": len(body)}
            if body:
                headers["content-type"] = original.CONTENT_TYPE
            lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            head = f"{method} /sync/v2/{path} HTTP/1.1\r\nHost: localhost\r\n{lines}\r\n"
            return Request(head.encode() + body, expected=expected)

        return ask

    def headers(self, device, server):
        return {**original.identity(server, self.user, self.kind.application),
                "mas-device-identifier": device}


def field_service(waggle, folder, records, form=Stored):
    return form(Site(waggle, folder), FIELD_SERVICE, records)


def items_site(waggle, folder, records, fields, form=Stored):
    definition = written(folder.with_suffix(".xml"), definitions.items(fields))
    kind = items(fields)
    return form(Site(waggle, folder, definition=definition, users=kind.users), kind, records)


def written(path, text):
    path.write_text(text)
    return path
