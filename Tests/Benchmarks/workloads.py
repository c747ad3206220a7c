"""Requests of clients for the load generator."""
import base64
import hashlib
import itertools
import json
import os
import urllib.parse

import definitions
import original
from load import ANSWER, Fresh, Request, pushed
from served import request
from stored import authorization

FILE_BYTES = 256 << 10
FIRST_PAGES = 9
ACCEPTED = 'without "outcome":"refused"'


def push(changes):
    def exchanges(stored, server, seconds):
        for token in stored.tokens[stored.user]:
            fresh = Fresh()
            yield [Request(sync(token, cursor=stored.cursors[stored.user], limit=changes,
                                **pushed([stored.kind.new(fresh, number, stored.parents)
                                          for number in range(changes)])), expected=ACCEPTED)]
    return exchanges


def pull_of_nothing(stored, server, seconds):
    for token in stored.tokens[stored.user]:
        yield [Request(sync(token, cursor=stored.cursors[stored.user]),
                       expected='with "records":[]')]


def pull_of_new(place):
    """The pull of the user at this index."""
    def exchanges(stored, server, seconds):
        user = stored.kind.users[place]
        cursor, limit = stored.pages[user][-1]
        for token in stored.tokens[user]:
            yield [Request(sync(token, cursor=cursor, limit=limit))]
    return exchanges


def first_sync(place):
    def exchanges(stored, server, seconds):
        user = stored.kind.users[place]
        for token in stored.tokens[user]:
            yield [Request(sync(token, cursor=cursor, limit=limit))
                   for cursor, limit in stored.pages[user]]
    return exchanges


def first_pages(stored, server, seconds):
    """The pages of a first sync that every database has."""
    for token in stored.tokens[stored.user]:
        yield [Request(sync(token, cursor=cursor, limit=limit))
               for cursor, limit in stored.pages[stored.user][:FIRST_PAGES]]


def find_by_relation(stored, server, seconds):
    tokens = itertools.cycle(stored.tokens[stored.user])
    for guid in stored.parents:
        yield [find(next(tokens), stored.kind.child, {"eq": [stored.kind.relation, guid]},
                    stored.kind.order)]


def find_by_text(stored, server, seconds):
    """A query that scans all records of the model."""
    for number, token in enumerate(stored.tokens[stored.user]):
        yield [find(token, stored.kind.child, {"prefix": [stored.kind.order, f"Site 0{number}"]},
                    f"-{stored.kind.order}", limit=20)]


def find(token, model, condition, order, **parameters):
    query = urllib.parse.urlencode({"filter": json.dumps(condition), "sort": order, **parameters})
    return Request(get(f"records/{model}?{query}", token), expected='with "guid"')


def sign_in(stored, server, seconds):
    user = stored.user
    yield [Request(request("session", "", {
        "login": user.login, "password": "a password", "deviceCategory": user.device,
        "deviceIdentifier": Fresh()()}), status=201)]


def conflicts(stored, server, seconds):
    """A conflict in one record of each mode."""
    new = {"title": "first", "note": "a note"}
    records = {mode.lower(): (new, {"title": "second"}, {
        "note" if mode == "MERGE" else "title": "third"}) for mode in definitions.MODES}
    for first, second in zip(*stored.tokens.values()):
        yield quarrel(first, second, stored.cursor, records, "manual")


def conflict(stored, server, seconds):
    """A conflict between two devices of one user."""
    tokens = stored.tokens[stored.user]
    records = {stored.kind.parent: tuple({"name": name} for name in ("first", "second", "third"))}
    for first, second in zip(tokens, tokens[1:] + tokens[:1]):
        yield quarrel(first, second, stored.cursors[stored.user], records, stored.kind.parent)


def quarrel(first, second, cursor, records, resolved):
    """Two devices change a record of each model, unaware of each other. `records` has the initial
    fields of each model, and those that either device sets."""
    fresh = Fresh()
    guids = {model: fresh() for model in records}

    def changes(action, place, base=None):
        return [change(fresh, action, model, guids[model], base, **fields[place])
                for model, fields in records.items()]

    return [
        Request(sync(first, limit=1, cursor=cursor, changes=changes("create", 0)),
                expected=ACCEPTED),
        Request(sync(first, limit=1, cursor=cursor, changes=changes("update", 1, base=1)),
                expected=ACCEPTED),
        Request(sync(second, limit=1, cursor=cursor, changes=changes("update", 2, base=1)),
                expected='with "outcome":"conflicted"'),
        Request(request("conflicts", authorization(first), {
            "id": fresh(), "model": resolved, "guids": [guids[resolved]], "choose": "mine"}),
            expected='with "outcome":"accepted"')]


def change(fresh, action, model, guid, base=None, **fields):
    known = {} if base is None else {"base": base}
    return {"id": fresh(), "action": action, "model": model, "guid": guid, **known,
            "fields": fields}


def file_up(stored, server, seconds):
    """Uploads new contents, and then a record that names them."""
    record = server.client(stored.user).sync(limit=1)["records"][0]["guid"]
    tokens = itertools.cycle(stored.tokens[stored.user])
    for _ in range(int(max(100, 150 * seconds))):
        token, fresh, contents = next(tokens), Fresh(), os.urandom(FILE_BYTES)
        guid = fresh()
        file = {"filename": "picture.jpg", "guid": guid}
        yield [put(guid, token, contents), Request(
            sync(token, limit=1, cursor=stored.cursors[stored.user],
                 changes=[stored.kind.new_naming(fresh, record, file)]), expected=ACCEPTED)]


def file_down(stored, server, seconds):
    guid, contents = "6b1f0c3e-6c1c-4f7e-9a51-0f9f4d6a2f11", bytes(FILE_BYTES)
    client = server.client(stored.user)
    client.connection.exchange(put(guid, client.token, contents).message)
    for token in stored.tokens[stored.user]:
        yield [Request(get(f"files/{guid}", token))]


def synchronize(records):
    """The sync of an original client with this number of new records."""
    def exchanges(stored, server, seconds):
        devices = itertools.cycle(stored.devices)
        for _ in range(int(max(20, 100 * seconds)) if records else len(stored.devices)):
            ask = stored.asker(next(devices), server)
            yield [
                ask("POST", "synchronize", original.multipart(
                    original.archive(records, stored.kind.new_original))),
                ask("GET", f"checkStatus?ticket={ANSWER}", expected='with "FINISHED"'),
                ask("GET", f"data?ticket={ANSWER}"),
                ask("POST", f"confirm?ticket={ANSWER}")]
    return exchanges


def synchronize_all(stored, server, seconds):
    ask = stored.asker("another", server)
    yield [ask("POST", "synchronizeAll"), ask("GET", f"data?ticket={ANSWER}"),
           ask("POST", f"confirm?ticket={ANSWER}")]


def put(guid, token, contents):
    digest = base64.b64encode(hashlib.sha256(contents).digest()).decode()
    head = f"PUT /v1/test/files/{guid} HTTP/1.1\r\nHost: localhost\r\n{authorization(token)}" \
           f"Repr-Digest: sha-256=:{digest}:\r\nContent-Length: {len(contents)}\r\n\r\n"
    return Request(head.encode() + contents, status=201)


def sync(token, **members):
    return request("sync", authorization(token), members)


def get(path, token):
    return f"GET /v1/test/{path} HTTP/1.1\r\nHost: localhost\r\n{authorization(token)}\r\n".encode()
