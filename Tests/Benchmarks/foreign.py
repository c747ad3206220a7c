#!/usr/bin/env python3
"""Measures what clients of Azure Mobile and Parse cost the server beside native ones; `make
bench-foreign`.

Each pair runs in turns on one database. The cost is the processor time of the server for an
exchange, of the cheapest round, because other load of the machine can only add to it. The exit code
is 1 when a goal is missed.
"""
import argparse
import itertools
import json
import shutil
import sys
import tempfile
import urllib.parse
from pathlib import Path
from typing import NamedTuple

import load
import stored
import workloads
from load import Fresh, Request
from rig import Rig, in_turns, processor_ms
from suite import KEEPING_NOTHING, Workload

MOST_RATIO = 1.5
ROWS = 1000
SERVING = ("--azure", "--parse", *KEEPING_NOTHING)
AZURE = "ZUMO-API-VERSION: 2.0.1\r\nX-ZUMO-FEATURES: OL,IP\r\nX-ZUMO-AUTH: "
DATASYNC = "ZUMO-API-VERSION: 3.0.0\r\nX-ZUMO-VERSION: Datasync/5.0.0\r\nX-ZUMO-AUTH: "


# Azure Mobile.

def table_path(name, **parameters):
    query = urllib.parse.urlencode(
        {name_.replace("_of_", "$"): value for name_, value in parameters.items()},
        quote_via=urllib.parse.quote)
    return f"/tables/{name}?{query}"


def get(path, headers, token):
    return f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{headers}{token}\r\n\r\n".encode()


def table(token, name, **parameters):
    """A question for rows, as clients of Azure Mobile ask it."""
    return get(table_path(name, **parameters), AZURE, token)


def pull(token, name, bound):
    return table(token, name, _of_filter=f"(updatedAt ge datetimeoffset'{bound}')",
                 _of_orderby="updatedAt", _of_top=ROWS, __includeDeleted="true")


def azure_pull(database, server, seconds):
    """The rows after the first thousand, again and again."""
    tokens, name = database.tokens[database.user], database.kind.parent
    connection = server.client(database.user).connection
    rows = connection.ask(pull(tokens[0], name, "1970-01-01T00:00:00.000Z"))
    for token in tokens:
        yield [Request(pull(token, name, rows[-1]["updatedAt"]), expected='with "version"')]


def datasync_pull(database, server, seconds):
    """The last thousand rows with their number, page by page, by the links of the server."""
    tokens, name = database.tokens[database.user], database.kind.parent
    connection = server.client(database.user).connection
    before = connection.ask(
        table(tokens[0], name, _of_orderby="updatedAt desc", _of_skip=ROWS, _of_top=1))
    path = table_path(
        name, _of_filter=f"(updatedAt gt cast({before[0]['updatedAt']},Edm.DateTimeOffset))",
        _of_orderby="updatedAt", _of_count="true", __includedeleted="true")
    paths = []
    while path:
        paths.append(path)
        link = connection.ask(get(path, DATASYNC, tokens[0])).get("nextLink")
        path = link and link[link.index("/tables/"):]
    for token in tokens:
        yield [Request(get(path, DATASYNC, token), expected='with "version"') for path in paths]


def native_pull(database, server, seconds):
    """The second page of a first sync."""
    cursor, limit = database.pages[database.user][1]
    for token in database.tokens[database.user]:
        yield [Request(workloads.sync(token, cursor=cursor, limit=limit), expected='with "guid"')]


def azure_filter(database, server, seconds):
    """The rows of an indexed relation."""
    tokens = itertools.cycle(database.tokens[database.user])
    for guid in database.parents:
        yield [Request(table(
            next(tokens), database.kind.child,
            _of_filter=f"{database.kind.relation} eq '{guid}'",
            _of_orderby=database.kind.order), expected='with "version"')]


# Parse.

def parse(method, path, token, body=b"", headers=""):
    return (f"{method} /parse/{path} HTTP/1.1\r\nHost: localhost\r\n"
            f"X-Parse-Application-Id: test\r\nX-Parse-Session-Token: r:{token}\r\n"
            f"{headers}Content-Length: {len(body)}\r\n\r\n").encode() + body


def parse_customer(number):
    fields = stored.customer(Fresh(), number)["fields"]
    since = {"__type": "Date", "iso": "2023-11-14T22:13:20.000Z"}
    return {**fields, "customerSince": since, "creditLimit": 1250.5}


def parse_site(number, customer):
    fields = stored.site_of_customer(Fresh(), number, customer)["fields"]
    return {**fields, "customer": parse_pointer("customer", customer),
            "latitude": 52.520008, "longitude": 13.404954}


def parse_pointer(name, object_id):
    return {"__type": "Pointer", "className": name, "objectId": object_id}


def parse_create(database, server, seconds):
    body = json.dumps(parse_customer(1)).encode()
    for token in database.tokens[database.user]:
        yield [Request(parse("POST", f"classes/{database.kind.parent}", token, body), status=201)]


def parse_create_again(database, server, seconds):
    """As the client for Swift sends them: the server keeps each answer, for a repeat."""
    body = json.dumps(parse_customer(1)).encode()
    headers = (f"X-Parse-Client-Version: swift6.1.0\r\nX-Parse-Request-Id: {Fresh()()}\r\n"
               "X-Parse-Installation-Id: 8a4ad6a4-5e34-4f5a-9c0a-5e2f0a0b0c0d\r\n")
    for token in database.tokens[database.user]:
        yield [Request(parse("POST", f"classes/{database.kind.parent}", token, body, headers),
                       status=201)]


def parse_find(database, server, seconds):
    yield from parse_finds(database, database.parents)


def parse_find_own(database, server, seconds):
    """The same, of objects that clients of Parse have made: their ids are no guids."""
    token = database.tokens[database.user][0]
    connection = server.client(database.user).connection
    parents = parse_objects(connection, token, "customer", map(parse_customer, range(stored.NEW)))
    children = [parse_site(number, parent)
                for parent in parents for number in range(stored.CHILDREN_OF_A_PARENT)]
    parse_objects(connection, token, "site", children)
    yield from parse_finds(database, parents)


def parse_objects(connection, token, name, objects):
    """The ids of new objects."""
    requests = [{"method": "POST", "path": f"/parse/classes/{name}", "body": each}
                for each in objects]
    body = json.dumps({"requests": requests}).encode()
    answers = connection.ask(parse("POST", "batch", token, body))
    return [each["success"]["objectId"] for each in answers]


def parse_finds(database, parents):
    tokens = itertools.cycle(database.tokens[database.user])
    for parent in parents:
        pointer = parse_pointer(database.kind.parent, parent)
        query = urllib.parse.urlencode({
            "where": json.dumps({database.kind.relation: pointer}), "order": database.kind.order})
        yield [Request(parse("GET", f"classes/{database.kind.child}?{query}", next(tokens)),
                       expected='with "objectId"')]


# Pairs.

class Pair(NamedTuple):
    title: str
    native: Workload
    foreign: Workload


def pair(name, title, native, foreign, writes=False):
    def workload(kind, exchanges):
        return Workload(f"{name}-{kind}", f"{title}, {kind}", title, exchanges, 1, writes=writes,
                        arguments=SERVING)
    return Pair(title, workload("native", native), workload("foreign", foreign))


PAIRS = [
    pair("azure-pull", f"incremental pull of {ROWS:,} rows by a client of Azure Mobile",
         native_pull, azure_pull),
    pair("datasync-pull", f"incremental pull of {ROWS:,} rows by a client of Datasync",
         native_pull, datasync_pull),
    pair("azure-filter", "filter by a relation of a client of Azure Mobile",
         workloads.find_by_relation, azure_filter),
    pair("parse-create", "object created by a client of Parse", workloads.push(1), parse_create,
         writes=True),
    pair("parse-create-again", "object created by a client of Parse that can repeat the request",
         workloads.push(1), parse_create_again, writes=True),
    pair("parse-find", "find by a pointer of a client of Parse", workloads.find_by_relation,
         parse_find),
    pair("parse-find-own", "find by a pointer among objects that clients of Parse made",
         workloads.find_by_relation, parse_find_own, writes=True),
]


def main():
    options = arguments()
    load.build()
    with tempfile.TemporaryDirectory() as folder:
        rig = Rig(options, Path(folder))
        database = rig.database("service")
        works = [work for each in PAIRS for work in (each.native, each.foreign)]
        found = in_turns(options.rounds, "wires", works, lambda work: rig.play(work, database))
    costs = {name: min(processor_ms(each) for each in rounds) for name, rounds in found.items()}
    print("| exchange | native | foreign | ratio |\n|---|---:|---:|---:|")
    goals = []
    for each in PAIRS:
        native, foreign = costs[each.native.name], costs[each.foreign.name]
        ratio = foreign / native
        print(f"| {each.title} | {native:.3f} ms | {foreign:.3f} ms | {ratio:.2f} |")
        goals.append((f"{each.title} costs {ratio:.2f} times as much as natively, at most "
                      f"{MOST_RATIO}", ratio <= MOST_RATIO))
    print()
    for goal, holds in goals:
        print(f"{'holds' if holds else 'MISSED'}: {goal}")
    sys.exit(0 if all(holds for _, holds in goals) else 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(";")[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    parser.add_argument("--records", type=int, default=10_000, help="how many are stored")
    parser.add_argument("--rounds", type=int, default=5, help="how often each is measured")
    parser.add_argument("--seconds", type=float, default=3, help="how long each time")
    options = parser.parse_args()
    options.warm_up, options.smoke = 0.5, False
    options.original_records = 0
    if not shutil.which(options.waggle):
        parser.error(f"'{options.waggle}' is not there: run 'make bench-foreign'")
    return options


if __name__ == "__main__":
    main()
