"""The requests before a database is stored: every kind of change and of outcome."""
import base64
import hashlib

from server import Client, Original

# login: group, device category
PEOPLE = {"ann": ("field", "mobile"), "bob": ("field", "mobile"), "eve": ("field", "mobile"),
          "sam": ("field", "mobile"), "dora": ("office", "desk"), "otto": ("office", "mobile")}


def password(login):
    return f"the secret of {login}"


def guid(number):
    return f"{number:08}-0000-4000-8000-000000000000"


def sign_in(server, people=PEOPLE):
    return {login: Client(server, login, password(login), category, f"device-of-{login}")
            for login, (_, category) in people.items()}


def digest(contents):
    return {"Repr-Digest": "sha-256=:"
            + base64.b64encode(hashlib.sha256(contents).digest()).decode() + ":"}


def file(number):
    return {"guid": guid(number), "filename": f"{number}.txt"}


def before_the_sweep(people, cursors):
    """Records that are deleted and purged; only their guids remain taken."""
    ann = people["ann"]
    ann.push(ann.change("create", "customer", guid(900), code="gone", name="Gone"),
             ann.change("create", "leaflet", guid(901), text="gone"),
             ann.change("delete", "customer", guid(900)),
             ann.change("delete", "leaflet", guid(901)), expecting=["accepted"] * 4)
    cursors["before the sweep"] = ann, ann.everything_seen()


def first_records(people):
    ann, bob, dora = people["ann"], people["bob"], people["dora"]
    ann.push(
        *(ann.change("create", "customer", guid(n), code=f"c{n}", name=f"Customer {n}",
                     phone=f"+48 {n}", fax=f"fax {n}") for n in range(1, 10)),
        *(ann.change("create", "site", guid(n + 10), customer=guid(n), address=f"Road {n}")
          for n in (6, 7)),
        *(ann.change("create", "visit", guid(n + 20), site=guid(17), note=f"visit {n}",
                     day=1000 * n) for n in range(1, 4)),
        ann.change("create", "price", guid(31), label="hour", amount="49.5"),
        ann.change("create", "stamp", guid(41), label="stamp", count=1),
        ann.change("create", "memo", guid(51), text="of Ann"),
        ann.change("create", "leaflet", guid(61), text="of Ann"),
        ann.change("create", "leaflet", guid(62), text="to be deleted"),
        ann.change("create", "trial", guid(71), need="all", short="four", label="AB12", word="red",
                   low=5, more="9.99", day=1790000000000, yes=True, only=7, other=guid(1),
                   kept="kept"), expecting=["accepted"] * 20)
    bob.push(bob.change("create", "memo", guid(52), text="of Bob"),
             bob.change("create", "customer", guid(10), code="bob", name="Bob's"))
    dora.push(dora.change("create", "secret", guid(81), text="hidden"),
              dora.change("update", "customer", guid(1), 1, margin="12.34"),
              dora.change("update", "customer", guid(2), 1, margin=None, phone="+48 22"),
              expecting=["accepted"] * 3)
    ann.push(ann.change("delete", "leaflet", guid(62), 1), expecting=["accepted"])
    sam = people["sam"]
    sam.push(sam.change("create", "customer", guid(110), code="sam", name="Of one who left"),
             expecting=["accepted"])


def files(people):
    ann, bob = people["ann"], people["bob"]
    for number, contents in ((201, b"a logo"), (202, b"a loose file")):
        ann.call("PUT", f"files/{guid(number)}", contents, digest(contents))
    half = b"half of a file, the rest of which never came"
    ann.call("PUT", f"files/{guid(203)}", half[:20], {
        **digest(half), "Content-Range": f"bytes 0-19/{len(half)}"})
    bob.call("PUT", f"files/{guid(205)}", b"of Bob", digest(b"of Bob"))
    ann.push(ann.change("update", "customer", guid(1), 2, logo=file(201)),
             ann.change("update", "customer", guid(3), 1, logo=file(204)),
             ann.change("create", "visit", guid(24), signature=file(205)),
             expecting=["accepted", "accepted", "refused fileNotYours"])
    ann.push(ann.change("update", "customer", guid(1), 3, logo=None), expecting=["accepted"])
    ann.push(ann.change("update", "customer", guid(1), 4, logo=file(201)), expecting=["accepted"])


def conflicts(people):
    """Stale changes in each conflict mode."""
    ann, bob, eve, dora = (people[name] for name in ("ann", "bob", "eve", "dora"))
    # Three conflicts of one record; a fourth is too many.
    dora.push(dora.change("update", "customer", guid(3), 2, name="Dora's", margin="1"))
    for one, outcome in ((bob, "conflicted"), (eve, "conflicted"), (people["sam"], "conflicted"),
                         (people["otto"], "refused tooManyConflicts")):
        one.push(one.change("update", "customer", guid(3), 2, name=one.login, phone=one.login),
                 expecting=[outcome])
    # A stale deletion, and a stale update of a deleted record.
    ann.push(ann.change("update", "customer", guid(4), 1, name="Ann's"))
    dora.push(dora.change("delete", "customer", guid(4), 1), expecting=["conflicted"])
    dora.push(dora.change("delete", "customer", guid(5), 1), expecting=["accepted"])
    bob.push(bob.change("update", "customer", guid(5), 1, name="Bob's"), expecting=["conflicted"])
    # Different fields of one record, and of two related records.
    ann.push(ann.change("update", "customer", guid(6), 1, name="Ann's"))
    bob.push(bob.change("update", "customer", guid(6), 1, phone="Bob's"), expecting=["conflicted"])
    seen = {one: one.everything_seen() for one in (bob, dora)}
    dora.push(dora.change("update", "customer", guid(7), 1, name="Dora's"), cursor=seen[dora],
              expecting=["accepted"])
    bob.push(bob.change("update", "site", guid(17), 1, address="Bob's"), cursor=seen[bob],
             expecting=["conflicted"])
    ann.push(ann.change("update", "visit", guid(21), 1, note="Ann's"))
    bob.push(bob.change("update", "visit", guid(21), 1, minutes=30), expecting=["merged"])
    eve.push(eve.change("update", "visit", guid(21), 1, note="Eve's", done=True),
             expecting=["conflicted"])
    ann.push(ann.change("update", "price", guid(31), 1, amount="50"))
    bob.push(bob.change("update", "price", guid(31), 1, amount="51.25", label="Bob's"),
             expecting=["accepted"])
    ann.push(ann.change("update", "stamp", guid(41), 1, count=2))
    bob.push(bob.change("update", "stamp", guid(41), 1, count=3), expecting=["discarded"])
    # A resolved conflict.
    ann.push(ann.change("update", "customer", guid(8), 1, name="Ann's"))
    bob.push(bob.change("update", "customer", guid(8), 1, name="Bob's"), expecting=["conflicted"])
    dora.push(dora.change("resolve", "customer", guid(8), 2, name="early"),
              dora.change("resolve", "customer", guid(8), 3, name="Bob's"),
              dora.change("resolve", "customer", guid(8), 4, name="late"),
              expecting=["refused resolutionStale", "accepted", "refused notConflicted"])


def refusals(people):
    """Each cause that a definition and a record can have."""
    ann, bob, dora, otto = (people[name] for name in ("ann", "bob", "dora", "otto"))

    def refused(*codes, who=ann, action="create", model="trial", number=79, base=None, **fields):
        if action == "create" and model == "trial" and "need" not in fields:
            fields["need"] = "something"
        change = who.change(action, model, guid(number), base, **fields)
        who.push(change, expecting=[" ".join(["refused", *codes])])

    refused("empty", need=None)
    refused("tooLong", short="sixsix")
    refused("tooShort", short="1")
    refused("patternMismatch", label="ab")
    refused("notAllowed", word="blue")
    refused("illegalCharacter", short="a\0b")
    refused("greaterThanOrEqualTo", low=0)
    refused("lessThanOrEqualTo", low=6)
    refused("greaterThan", more="0")
    refused("lessThan", more="10")
    refused("tooManyFractionDigits", more="1.005")
    refused("greaterThanOrEqualTo", day=0)
    refused("lessThanOrEqualTo", day=1900000000000)
    for name, value in (("short", 1), ("low", "1"), ("more", True), ("yes", "yes"), ("day", "now"),
                        ("other", 5), ("file", "a.txt")):
        refused("wrongType", **{name: value})
    refused("tooLong", file={"guid": guid(206), "filename": "x" * 300})
    refused("illegalCharacter", file={"guid": guid(206), "filename": "a/b"})
    refused("notFound", other=guid(999))
    refused("notFound", other=guid(21))
    refused("notUnique", only=7)
    refused("unknownField", nothing=1)
    refused("unknownModel", model="nothing", name="x")
    refused("noCredentialsToPerformOperationOnField", guarded="x")
    refused("noCredentialsToPerformOperationOnField", action="update", number=71, base=1, kept="x")
    refused("noCredentialsToPerformOperationOnModel", model="secret", text="x")
    refused("noCredentialsToPerformOperationOnModel", who=bob, action="delete", model="customer",
            number=1, base=5)
    refused("noCredentialsToPerformOperationOnModel", action="resolve", model="customer", number=3,
            base=6, name="x")
    refused("noCredentialsToPerformOperationOnField", who=otto, action="update", model="customer",
            number=1, base=5, margin="1")
    refused("recordUnknown", action="update", model="secret", number=81, base=1, text="x")
    refused("recordUnknown", action="update", model="customer", number=998, base=1, name="x")
    refused("recordDeleted", action="update", model="leaflet", number=62, base=2, text="x")
    refused("guidTaken", number=1)
    refused("guidTaken", number=900)
    refused("baseMissing", action="update", model="customer", number=1, name="x")
    refused("baseUnknown", action="update", model="customer", number=1, base=99, name="x")
    refused("notConflicted", who=dora, action="resolve", model="customer", number=1, base=5)
    refused("unexpectedFields", action="delete", model="customer", number=1, base=5, name="x")
    several = ann.change("create", "trial", guid(79), short="sixsix", low=9, word="blue", nothing=1)
    ann.push(several)
    ann.push({**ann.change("update", "customer", guid(3), 2, name="x"), "ifStale": "refuse"},
             {**ann.change("create", "visit", "no-guid"), "guid": "no-guid"},
             ann.change("create", "customer", guid(99), name="x"),
             ann.change("create", "site", guid(98), customer=guid(99)),
             ann.change("update", "site", guid(98), address="x"),
             {**ann.change("create", "visit", guid(97)), "id": ann.device + "-1"},
             {**ann.change("create", "visit", guid(96)), "id": "no id"})


def told(people):
    """Push tokens and notifications."""
    ann, bob, dora = people["ann"], people["bob"], people["dora"]
    ann.call("PUT", "pushTokens/http", {"token": "https://hooks.example/ann"})
    bob.call("PUT", "pushTokens/ios", {"token": "0123456789abcdef"})
    position = ann.event_id()
    sent = [
        {"id": "all", "notification": {"text": "to all", "number": 1.50}},
        {"id": "some", "group": "field", "deviceCategory": "mobile", "users": ["ann", "eve"],
         "notification": {"text": "to some"}},
        {"id": "others", "users": ["bob"], "notification": {"text": "not to Ann"}}]
    for notification in sent:
        dora.call("POST", "notifications", notification)
    return {"headers": ann.headers, "path": "/v1/test/live", "lastEventID": position,
            "ids": ["all", "some"]}, sent


def original_apps(server, digest_of_definition, bob):
    """Original clients: one that has confirmed, one that has not, and one that was refused."""
    apps = [Original(server, login, password(login), device, digest_of_definition)
            for login, device in (("ann", "old-1"), ("ann", "old-2"), ("eve", "old-3"))]
    confirmed, waiting, rejected = apps
    for app in apps:
        app.begin()
    confirmed.synchronize(Original.line("leaflet", guid(301), text="of an old app"))
    waiting.synchronize()
    bob.push(bob.change("update", "leaflet", guid(301), 1, text="Bob's"), expecting=["accepted"])
    tickets = [
        waiting.send(Original.line("leaflet", guid(301), text="of another old app"),
                     Original.line("stamp", guid(302), label="new", count="4")),
        rejected.send(Original.line("trial", guid(303), need="x", short="sixsix"),
                      Original.line("trial", guid(304), need="x"))]
    return [confirmed.question("authenticate"),
            confirmed.question(f"conflictHistory?guid={guid(301)}&model=leaflet"),
            waiting.question(f"checkStatus?ticket={tickets[0]}"),
            waiting.question(f"data?ticket={tickets[0]}"),
            rejected.question(f"checkStatus?ticket={tickets[1]}")]


def after_the_second_version(people):
    """A deployment with other rights and names, a user in another group, and a removed user."""
    ann, bob, dora = people["ann"], people["bob"], people["dora"]
    dora.call("PATCH", "users/eve", {"group": "office"})
    dora.call("DELETE", "users/sam")
    dora.call("PATCH", f"records/customer/{guid(9)}/ownership", {"owner": "bob"})
    dora.call("PATCH", f"records/customer/{guid(2)}/ownership",
              {"owner": "dora", "group": "office"})
    bob.push(bob.change("update", "customer", guid(9), 1, title="Bob's", phone="+48 9"),
             bob.change("update", "customer", guid(6), 3, phone="x"),
             bob.change("update", "customer", guid(6), 3, name="x"),
             bob.change("create", "leaflet", guid(95), text="x"),
             bob.change("update", "flyer", guid(61), 1, body="Bob's"))
    ann.push(ann.change("create", "flyer", guid(63), body="a flyer"),
             ann.change("update", "flyer", guid(61), 1, body="Ann's"),
             ann.change("create", "customer", guid(12 + 100), code="c112", title="Last",
                        web="a.example"), expecting=["accepted", "conflicted", "accepted"])
    acknowledged = ann.change("create", "stamp", guid(42), label="acknowledged")
    ann.push(acknowledged, expecting=["accepted"])
    ann.pushed.pop()
    ann.call("POST", "sync", {"acknowledged": [acknowledged["id"]], "limit": 1})
    rule = {"id": "rule", "model": "customer", "guids": [guid(6)], "choose": "theirs",
            "fields": {"phone": "mine"}}
    dora.call("POST", "conflicts", rule)
    return dora.question("POST", "conflicts", rule)
