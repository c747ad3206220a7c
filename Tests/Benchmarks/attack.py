#!/usr/bin/env python3
"""Attacks `waggle serve` as one user, and measures how long another user waits, with pushes of one
record, with finds and with questions for health; `make attack`.

An attack is a generator that gets a server: it prepares what it needs, yields, and attacks. While
it attacks, other processes push one record after the other as another user, find one, and ask for
health. To add an attack, write such a function and list it in `ATTACKS`. The exit code is 1 when
one of them waits too long, or the server needs too much memory.
"""
import argparse
import base64
import contextlib
import hashlib
import io
import json
import multiprocessing
import re
import shutil
import socket
import struct
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
import zipfile
from pathlib import Path

from definitions import HEAD, field, model
from documents import TAIL
from served import Client, Cluster, Server, Site, User
from sync import tell

MALLORY = User("mallory", "users", "mobile", "")
ANNA = User("anna", "users", "mobile", "")
# The other user, who sees notes alone: an answer with records of the attacker would be measured
# with what it takes to read them.
BOB = User("bob", "others", "mobile", "")

# In milliseconds.
MOST_WAIT = {"push": 250, "find": 250, "health": 100}
# The memory of the server, in megabytes.
MOST_MEMORY = 512
BATCH = 1000
# Requests of an attacker at the same time.
AT_ONCE = 4


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder)) if options.postgres else None
        try:
            found = [measured(attack, options.waggle, cluster) for attack in options.attacks]
        finally:
            if cluster:
                cluster.end()
    print("| attack | longest push of another user | find | health | memory |\n"
          "|---|---:|---:|---:|---:|")
    for attack, (waits, peak_mb) in zip(options.attacks, found):
        cells = [f"{max(waits[kind]):,.0f} ms of {len(waits[kind]):,}" for kind in MOST_WAIT]
        print(f"| {attack.__doc__.rstrip('.')} | {' | '.join(cells)} | {peak_mb:,.0f} MB |")
    holds = [told(max(max(waits[kind]) for waits, _ in found), most, "ms",
                  f"no {kind} waits longer than")
             for kind, most in MOST_WAIT.items()]
    holds.append(told(max(peak_mb for _, peak_mb in found), MOST_MEMORY, "MB",
                      "the server needs no more than"))
    sys.exit(0 if all(holds) else 1)


def told(worst, most, unit, promise):
    """Prints whether a promise holds, and returns it."""
    print(f"\n{'holds' if worst <= most else 'MISSED'}: {promise} {most} {unit}, "
          f"the most was {worst:,.0f} {unit}")
    return worst <= most


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--postgres", action="store_true",
                        help="attack a server on a PostgreSQL of its own")
    parser.add_argument("attacks", nargs="*", help="names of attacks; all by default")
    options = parser.parse_args()
    if not shutil.which(options.waggle):
        parser.error(f"'{options.waggle}' is not there: run 'make attack'")
    named = {attack.__name__: attack for attack in ATTACKS}
    if unknown := set(options.attacks) - set(named):
        parser.error(f"{', '.join(sorted(unknown))}: there are {', '.join(named)}")
    options.attacks = [named[name] for name in options.attacks] or ATTACKS
    return options


def measured(attack, waggle, cluster):
    """The waits of the other user in milliseconds, by kind of request, and the peak memory of the
    server during the attack in megabytes."""
    database = cluster and cluster.database(attack.__name__)
    with tempfile.TemporaryDirectory() as folder:
        definition = Path(folder) / "application.xml"
        definition.write_text(DEFINITION)
        site = Site(waggle, Path(folder) / "site", database, str(definition), (MALLORY, ANNA, BOB))
        with Server(site, "--azure", "--parse") as server:
            tell(f"preparing {attack.__name__}")
            steps = attack(server)
            next(steps)
            tell(f"attacking with {attack.__name__}")
            server.forget_peak()
            with contextlib.ExitStack() as stack:
                others = {kind: stack.enter_context(Requests(kind, server.port))
                          for kind in MOST_WAIT}
                for _ in steps:
                    pass
            peak_mb = server.peak_so_far_mb()
        return {kind: requests.waits for kind, requests in others.items()}, peak_mb


class Requests:
    """Requests of the other user, from another process, so that nothing here delays them."""

    def __init__(self, kind, port):
        self.ends = multiprocessing.Event()
        self.received, sent = multiprocessing.Pipe(duplex=False)
        self.process = multiprocessing.Process(
            target=ask_until, args=(ASKING[kind], port, self.ends, sent))
        self.waits = []

    def __enter__(self):
        self.process.start()
        self.received.recv()
        return self

    def __exit__(self, *_):
        self.ends.set()
        self.waits = self.received.recv()
        self.process.join()


def ask_until(asking, port, ends, sent):
    waits = []
    for before, after in asking(port):
        waits.append((after - before) * 1000)
        if len(waits) == 1:
            sent.send("begun")
        if ends.is_set():
            break
        time.sleep(0.002)
    sent.send(waits)


def pushes(port):
    bob = Client(port, BOB)
    # As a device in use. It has passed over what was there before.
    (_, cursor), acknowledged = bob.everything(1000), []
    while True:
        change = creation("note", text="n")
        request = bob.request(
            changes=[change], acknowledged=acknowledged, cursor=cursor, limit=1)
        acknowledged = [change["id"]]
        before = time.perf_counter()
        answer = bob.connection.exchange(request)
        yield before, time.perf_counter()
        cursor = json.loads(answer)["cursor"]


def finds(port):
    bob = Client(port, BOB)
    while True:
        before = time.perf_counter()
        bob.connection.exchange(get(bob, "records/note?limit=1"))
        yield before, time.perf_counter()


def questions_for_health(port):
    while True:
        before = time.perf_counter()
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
            answer.read()
        yield before, time.perf_counter()


ASKING = {"push": pushes, "find": finds, "health": questions_for_health}


# The address of the native wire.
NATIVE = "v1/test"


# Attacks


def nothing(server):
    """Nothing, for 20 s: the waits that the machine itself causes."""
    yield
    time.sleep(20)


def long_history(server):
    """1,000 stale changes of a record with 20,001 revisions."""
    first, second = Client(server.port, MALLORY), Client(server.port, MALLORY)
    guids = {mode: creation(mode, text="0") for mode in ("manual", "merge", "discard")}
    push(first, list(guids.values()))
    for mode, record in guids.items():
        lengthen(record, mode, first)
    requests = [second.request(changes=[update(mode, record["guid"], 1, note=str(number))
                                        for number in range(BATCH)], limit=1)
                for mode, record in guids.items()]
    yield
    for request in requests:
        second.connection.ask(request)


def many_long_histories(server):
    """Many stale changes at once of a record with 20,001 revisions."""
    first = Client(server.port, MALLORY)
    record = creation("manual", text="0")
    push(first, [record])
    lengthen(record, "manual", first)
    clients = [Client(server.port, MALLORY) for _ in range(32)]
    yield
    together(lambda client: client.sync(
        changes=[update("manual", record["guid"], 1, note="stale")], limit=1), clients)


def related_records(server):
    """Changes of a record to which 20,000 changed records relate."""
    first, second = Client(server.port, MALLORY), Client(server.port, MALLORY)
    parent = creation("folder", text="p")
    push(first, [parent])
    seen = second.sync(limit=1)["cursor"]
    for _ in range(20):
        push(first, [creation("sheet", text="c", folder=parent["guid"]) for _ in range(BATCH)])
    requests = [second.request(changes=[update("folder", parent["guid"], 1, text=str(number))
                                        for number in range(count)], limit=1, cursor=seen)
                for count in (1, 10, 100, BATCH)]
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    yield
    for request in requests:
        second.connection.ask(request)
    together(lambda client: client.sync(
        changes=[update("folder", parent["guid"], 1, text="x")], limit=1, cursor=seen), clients)


def unique_chain(server):
    """Chains of unique values that fail one after the other."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    requests = []
    for number, client in enumerate(clients):
        records = [creation("parcel", code=f"{number}-{place}") for place in range(BATCH // 2 + 1)]
        push(client, records)
        changes = []
        for place in range(1, len(records)):
            taken = f"{number}-0" if place == 1 else f"{number}-x{place - 1}"
            guid = records[place]["guid"]
            changes += [update("parcel", guid, 1, code=f"{number}-x{place}"),
                        update("parcel", guid, None, code=taken)]
        requests.append(client.request(changes=changes, limit=1))
    yield
    together(lambda pair: pair[0].connection.ask(pair[1]), list(zip(clients, requests)))


def large_pushes(server):
    """Pushes of 1,000 records, one after the other and at the same time."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    requests = [[client.request(changes=[creation("note", text="x" * 2000)
                                         for _ in range(BATCH)], limit=1) for _ in range(5)]
                for client in clients]
    yield
    together(lambda pair: [pair[0].connection.ask(request) for request in pair[1]],
             list(zip(clients, requests)))


def refused_bodies(server):
    """Bodies of 8 MiB that are refused."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    body = b'{"changes":["' + b"\\u0061" * (8 * 1024 * 1024 // 6 - 10) + b'"]}'
    yield
    together(lambda client: [ask_anyway(server, client, f"{NATIVE}/sync", body)
                             for _ in range(5)], clients)


def sorted_finds(server):
    """Finds that sort and count 99,000 records."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE * 4)]
    for _ in range(99):
        push(clients[0], [creation("note", text=str(uuid.uuid4())) for _ in range(BATCH)])
    path = f"{NATIVE}/records/note?sort=text,-note&count=true"
    yield
    together(lambda client: [ask_anyway(server, client, path) for _ in range(3)], clients)


def costly_patterns(server):
    """Pushes of texts whose pattern takes 6,700,000 steps each, by clients of three wires."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE * 4)]
    row = {"code": "a" * 10_000}
    object = {"method": "POST", "path": "/parse/classes/costly", "body": row}
    requests = [(f"{NATIVE}/sync", {"changes": [creation("costly", **row) for _ in range(count)]})
                for count in (1, 2, 2, BATCH // 2)]
    requests += [("tables/costly", row)] * 4
    requests += [("parse/batch", {"requests": [object] * count}) for count in (1, 2, 2, BATCH // 2)]
    bodies = [(path, json.dumps(body).encode()) for path, body in requests]
    yield
    together(lambda client: [ask_anyway(server, client, path, body) for path, body in bodies],
             clients)


def list_edits(server):
    """Batches of edits of a JSON list of 60 KB, by clients of Parse."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    paths = []
    for client in clients:
        made = creation("list", items=json.dumps(["x" * 50 for _ in range(1100)]))
        push(client, [made])
        paths.append(f"/parse/classes/list/{made['guid']}")
    yield
    together(lambda pair: [ask_anyway(
        server, pair[0], "parse/batch", json.dumps({"requests": [
            {"method": "PUT", "path": pair[1], "body": {
                "items": {"__op": "AddUnique", "objects": [number]}}}
            for number in range(count)]}).encode())
        for count in (BATCH, 60, 60)], list(zip(clients, paths)))


def many_edits(server):
    """Objects with 100,000 keys that edit a JSON value, and with 1,000 in batches, of Parse."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    paths = []
    for client in clients:
        made = creation("list", items="{}")
        push(client, [made])
        paths.append(f"parse/classes/list/{made['guid']}")
    body = {f"items.k{number}": 1 for number in range(100_000)}
    some = {f"items.k{number}": 1 for number in range(BATCH)}
    yield
    together(lambda pair: [
        ask_anyway(server, pair[0], pair[1], json.dumps(body).encode(), method="PUT"),
        ask_anyway(server, pair[0], "parse/batch", json.dumps({"requests": [
            {"method": "PUT", "path": f"/{pair[1]}", "body": some}
            for _ in range(300)]}).encode()),
        *(ask_anyway(server, pair[0], pair[1], json.dumps(some).encode(), method="PUT")
          for _ in range(20))], list(zip(clients, paths)))


def named_files(server):
    """Pushes that name files of another user, which 10,000 records or 100 records of 1 MB name."""
    anna, mallory = Client(server.port, ANNA), Client(server.port, MALLORY)
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    files = [str(uuid.uuid4()) for _ in range(BATCH)]
    push(anna, [creation("pinned", file=file_value(file)) for file in files])
    for _ in range(10):
        push(mallory, [creation("pinned", file=file_value(files[0])) for _ in range(BATCH)])
    for _ in range(100):
        push(mallory, [creation("pinned", file=file_value(files[1]), text="x" * 1_000_000)])
    yield
    together(lambda client: [
        client.sync(changes=[creation("pinned", file=file_value(file)) for file in some], limit=1)
        for some in (files[:1], files[1:2], files, files[:1], files[1:2])], clients)


def searches_for_parts(server):
    """Searches for parts of texts that almost match everywhere, by clients of Azure Mobile."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    for _ in range(5):
        push(clients[0], [creation("note", text="a" * 4096) for _ in range(BATCH)])
    part = "a" * 600 + "b"
    condition = "%20or%20".join(f"indexof(text,'{part}')%20ge%200" for _ in range(45))
    path = f"tables/note?$filter={condition}&$inlinecount=allpages"
    yield
    together(lambda client: [ask_anyway(server, client, path) for _ in range(3)], clients)


def dense_archives(server):
    """Six archives at once of six lines of 8 MB of empty objects, by an original client."""
    lines = ['{"model":"note","guid":"%s","fields":{"text":[%s{}]}}' % (
        uuid.uuid4(), "{}," * 2_700_000) for _ in range(6)]
    requests = [original(server, f"d{number}", "synchronize", lines) for number in range(6)]
    yield
    together(ask_request, requests)


def stale_from_many(server):
    """Stale changes on 30 connections of a record with 20,001 revisions, one after the other."""
    first = Client(server.port, MALLORY)
    record = creation("merge", text="0")
    push(first, [record])
    lengthen(record, "merge", first)
    clients = [Client(server.port, MALLORY) for _ in range(30)]
    anna, seen = Client(server.port, ANNA), Client(server.port, ANNA)
    own = creation("merge", text="0")
    push(anna, [own])
    push(anna, [update("merge", own["guid"], 1 if number == 0 else None, text=str(number))
                for number in range(BATCH)])
    yield
    with contextlib.ExitStack() as stack:
        other = threading.Thread(target=lambda: [
            seen.sync(changes=[update("merge", own["guid"], 1, note=str(number))], limit=1)
            for number in range(20)])
        other.start()
        stack.callback(other.join)
        together(lambda client: [client.sync(
            changes=[update("merge", record["guid"], 1, note=str(number))], limit=1)
            for number in range(5)], clients)


def large_searches(server):
    """Searches for 40 records of 5 MB as JSON."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE * 2)]
    for _ in range(40):
        push(clients[0], [creation("pinned", text="\x01" * 900_000)])
    yield
    together(lambda client: [ask_anyway(server, client, f"{NATIVE}/records/pinned")
                             for _ in range(3)], clients)


def edits_of_large_record(server):
    """1,000 edits at once, of 5 KB and of 5 bytes, of each of four records of 8 MB."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    requests = []
    for client in clients:
        record = creation("long", **{name: "x" * 990_000 for name in LONG_TEXTS})
        push(client, [record])
        requests.append([client.request(changes=[
            update("long", record["guid"], None if number else base, note="y" * size + str(number))
            for number in range(BATCH)], limit=1) for base, size in ((1, 5000), (BATCH + 1, 1))])
    yield
    together(lambda pair: [pair[0].connection.ask(request) for request in pair[1]],
             list(zip(clients, requests)))


def late_deliveries(server):
    """Eight downloads of 100 records of 1 MB whose file has come late, by original clients."""
    client, file, contents = Client(server.port, MALLORY), str(uuid.uuid4()), b"late"
    for _ in range(100):
        push(client, [creation("pinned", file=file_value(file), text="x" * 1_000_000)])
    devices = [f"d{number}" for number in range(8)]
    for device in devices:
        ticket = ask_well(original(server, device, "synchronize", [])).decode()
        ask_well(original(server, device, f"data?ticket={ticket}"))
        ask_well(original(server, device, f"confirm?ticket={ticket}", body=b""))
    digest = base64.b64encode(hashlib.sha256(contents).digest()).decode()
    ask_well(urllib.request.Request(
        f"http://127.0.0.1:{server.port}/{NATIVE}/files/{file}", contents, {
            "Authorization": f"Bearer {client.token}", "Repr-Digest": f"sha-256=:{digest}:"},
        method="PUT"))
    tickets = [ask_well(original(server, device, "synchronize", [])).decode()
               for device in devices]
    requests = [original(server, device, f"data?ticket={ticket}")
                for device, ticket in zip(devices, tickets)]
    yield
    together(ask_request, requests)


def reset_answers(server):
    """Requests whose connections are reset while they are answered, and then one that is not."""
    client = Client(server.port, MALLORY)
    push(client, [creation("pinned", text="\x01" * 900_000)])
    page = client.request(limit=1)
    file = b"GET /console/modules/record-panel.js HTTP/1.1\r\nHost: localhost\r\n\r\n"
    yield
    for request, count in ((page, 40), (file, 2000)):
        for number in range(count):
            with socket.create_connection(("127.0.0.1", server.port)) as connection:
                connection.sendall(request)
                time.sleep((0, 0.0002, 0.0005, 0.001, 0.003)[number % 5])
                connection.setsockopt(
                    socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    time.sleep(2)
    # A refusal ends the program.
    client.connection.ask(page)


def finds_by_number(server):
    """Finds by a number over 3,000 records of 100 KB."""
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE * 2)]
    for _ in range(50):
        push(clients[0], [creation("long", text0="x" * 100_000, score=number)
                          for number in range(60)])
    condition = urllib.parse.quote('{"gt":["score",99]}')
    paths = [f"{NATIVE}/records/long?{query}" for query in ("sort=score", f"filter={condition}")]
    yield
    together(lambda client: [ask_anyway(server, client, path) for path in paths * 3], clients)


def pulls_after_change_of_rights(server):
    """Pulls by time over 99,000 records that a user no longer sees and that have changed since."""
    anna = Client(server.port, ANNA)
    clients = [Client(server.port, MALLORY) for _ in range(AT_ONCE)]
    batches = [[creation("note", text="x" * 500) for _ in range(BATCH)] for _ in range(99)]
    for records in batches:
        push(anna, records)
    server.site.tool("user", "set-group", MALLORY.login, "guests")
    for records in batches:
        push(anna, [update("note", record["guid"], 1, text="y" * 500) for record in records])
    condition = urllib.parse.quote("updatedAt ge datetimeoffset'1970-01-01T00:00:00.001Z'")
    path = f"tables/note?$filter={condition}&$orderby=updatedAt&__includeDeleted=true"
    yield
    together(lambda client: [ask_anyway(server, client, path) for _ in range(5)], clients)


ATTACKS = [nothing, long_history, many_long_histories, related_records, unique_chain, large_pushes,
           refused_bodies, sorted_finds, costly_patterns, list_edits, many_edits,
           named_files, searches_for_parts, large_searches,
           dense_archives, late_deliveries, stale_from_many, edits_of_large_record,
           reset_answers, finds_by_number, pulls_after_change_of_rights]


def get(client, path):
    return (f"GET /v1/test/{path} HTTP/1.1\r\nHost: localhost\r\n"
            f"Authorization: Bearer {client.token}\r\n\r\n").encode()


def ask_anyway(server, client, path, body=None, method=None):
    """Sends a request that may be refused, with the headers of the clients of each wire."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{server.port}/{path}", body, {
            "Authorization": f"Bearer {client.token}", "Content-Type": "application/json",
            "X-ZUMO-AUTH": client.token, "ZUMO-API-VERSION": "2.0.1",
            "X-Parse-Application-Id": "test", "X-Parse-Session-Token": f"r:{client.token}"},
        method=method)
    ask_request(request)


def ask_request(request):
    try:
        with urllib.request.urlopen(request) as answer:
            answer.read()
    except urllib.error.HTTPError as refusal:
        refusal.read()


def original(server, device, path, lines=None, body=None):
    """A request of an original client; with lines, one that sends them in an archive."""
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/{NATIVE}/health") as answer:
        digest = json.load(answer)["digest"]
    headers = {
        "mas-vendor-name": "waggle", "mas-application-name": "bench",
        "mas-application-instance-name": "test", "mas-definition-digest": digest,
        "mas-device-name": "mobile", "mas-device-identifier": device,
        "mas-user-name": MALLORY.login, "mas-user-password": "a password"}
    if lines is not None:
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w", zipfile.ZIP_STORED) as entries:
            entries.writestr("data", "\n".join(lines))
            entries.writestr("deletedFiles", "")
        part = 'content-disposition: form-data; name="file"; filename="file"'
        body = f"\r\n--xyz\r\n{part}\r\n\r\n".encode() + archive.getvalue() \
            + b"\r\n--xyz--\r\n"
        headers["Content-Type"] = "multipart/form-data; boundary=xyz"
    return urllib.request.Request(
        f"http://127.0.0.1:{server.port}/sync/v2/{path}", body, headers)


def ask_well(request):
    """The answer to a request that must not be refused."""
    with urllib.request.urlopen(request) as answer:
        return answer.read()


def push(client, changes):
    """Pushes changes, all of which must be accepted, and acknowledges their outcomes."""
    for outcome in client.sync(changes=changes, limit=1)["outcomes"]:
        if outcome["outcome"] != "accepted":
            sys.exit(f"not accepted: {outcome}")
    client.sync(acknowledged=[change["id"] for change in changes], limit=1)


def lengthen(record, kind, client):
    """Gives a record 20,001 revisions."""
    for base in range(1, 20 * BATCH, BATCH):
        push(client, [update(kind, record["guid"], base if number == 0 else None,
                             text=str(base + number)) for number in range(BATCH)])


def together(call, arguments):
    threads = [threading.Thread(target=call, args=(argument,)) for argument in arguments]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


# Changes


def creation(kind, **fields):
    return {"id": str(uuid.uuid4()), "action": "create", "model": kind,
            "guid": str(uuid.uuid4()), "fields": fields}


def update(kind, guid, base, **fields):
    change = {"id": str(uuid.uuid4()), "action": "update", "model": kind, "guid": guid,
              "fields": fields}
    return change if base is None else {**change, "base": base}


def file_value(guid):
    return {"guid": guid, "filename": "logo.png"}


def unique(name):
    return field(name, "TEXT").replace('type="TEXT"', 'type="TEXT" w:unique="true"')


TEXTS = [field("text", "TEXT", maxLength="4096"), field("note", "TEXT")]
LONG_TEXTS = [f"text{number}" for number in range(8)]


def beside(group, text):
    """A part of a definition in which a group stands beside the users, with the same rights."""
    return re.sub(r' *<(?:group name|role group|credential role)="users\b.*?/>\n',
                  lambda found: found[0] + found[0].replace("users", group), text, flags=re.DOTALL)


DEFINITION = beside("guests", beside("others", HEAD)) + beside(
    "others", model("note", TEXTS)
) + "".join(
    model(mode.lower(), TEXTS, f' w:conflictMode="{mode}"')
    for mode in ("MANUAL", "MERGE", "DISCARD")
) + model("folder", [field("text", "TEXT")]) + model("sheet", [
    field("text", "TEXT"), field("folder", "BELONGS_TO", model="folder", analyzeConflict="true"),
]) + model("parcel", [unique("code")]) + model("costly", [
    field("code", "TEXT", maxLength="10000").replace(
        'type="TEXT"', 'type="TEXT" w:pattern="((a?){332})*"'),
]) + model("list", [
    field("items", "TEXT", maxLength="65536").replace(
        'type="TEXT"', 'type="TEXT" w:format="json"'),
]) + model("pinned", [
    field("file", "FILE"), field("text", "TEXT", maxLength="1000000"),
]) + model("long", [field("note", "TEXT", maxLength="10000"), field("score", "INTEGER")] + [
    field(name, "TEXT", maxLength="1000000") for name in LONG_TEXTS
]) + TAIL


if __name__ == "__main__":
    main()
