"""Databases with records, each filled once and served by many rounds."""
from typing import Callable, NamedTuple

import definitions
import device
import load
import original
import sync
from load import Fresh, Request, pushed
from served import DISPATCHER, TECHNICIAN, Server, Site, User, request
from sync import tell

BATCH = 1000
# The number of latest records, which a client with all earlier ones does not have yet.
NEW = 100
CHILDREN_OF_A_PARENT = 10
# The number of signed-in devices of each user.
DEVICES = 4
FILLING_CONNECTIONS = 2
# Few, because the server stores the records that each of them has.
ORIGINAL_DEVICES = 2

ANNA = User("anna", "users", "mobile", "all fields")
BERT = User("bert", "users", "mobile", "all fields")


class Kind(NamedTuple):
    """The models of a database: parents, and the same number of children that belong to them."""
    users: tuple
    parent: str
    child: str
    # Fields of the child: the relation to its parent, and a sort key.
    relation: str
    order: str
    # The creation of a parent, from a source of fresh guids and a number.
    new_parent: Callable
    # The creation of a child; also takes the parent's guid.
    new_child: Callable
    # Whether workloads push and pull children or parents.
    pushes_children: bool
    # The creation of a record with a file, from a source of guids, a record's guid and the file.
    new_naming: Callable
    # For original clients: the application, and the model and fields of a creation.
    application: str
    new_original: Callable

    def batch(self, count, fresh):
        """Changes that create this number of records, half of them parents."""
        parents = [self.new_parent(fresh, number) for number in range(count - count // 2)]
        children = [self.new_child(fresh, number, parents[number // CHILDREN_OF_A_PARENT]["guid"])
                    for number in range(count // 2)]
        return parents + children if self.pushes_children else children + parents

    def new(self, fresh, number, parents):
        """The creation of another record, for existing parents."""
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
    """Items with this number of fields in addition to their shelf."""
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
    """A site with records, whose users are signed in and have received all of them."""

    def __init__(self, site, kind, records):
        self.site = site
        self.kind = kind
        self.records = records
        with Server(site) as server:
            self.tokens = {user: [server.client(user).token for _ in range(DEVICES)]
                           for user in kind.users}
            self.fill(server)
            # The cursor and the limit of each page of a first sync; the last has the new records.
            self.pages = {}
            # The cursors after all records, by user.
            self.cursors = {}
            self.parents = []
            for user in kind.users:
                self.walk(server.client(user), user)

    @property
    def user(self):
        """The user with all rights."""
        return self.kind.users[0]

    def fill(self, server):
        tell(f"storing {self.records:,} records")
        batch = min(BATCH, self.records)
        batches = self.records // batch
        connections = min(batches, FILLING_CONNECTIONS)
        changes = {**pushed(self.kind.batch(batch, Fresh())), "limit": 1}
        path = load.write(self.site.folder / "filling", [
            [Request(request("sync", authorization(server.client(self.user).token), changes),
                     expected='without "outcome":"refused"')] for _ in range(connections)])
        load.play(path, server.port, connections=connections, seconds=24 * 3600,
                  exchanges=batches)
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
    """A site that also has devices of original clients, which have all records."""

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
        """A function that makes requests of a device."""
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
