"""Checks the measurements of the load generator with a server that stalls on request;
`bench.py --smoke` runs these checks first."""
import asyncio
import contextlib
import re
import sqlite3
import subprocess
import tempfile
import threading
import time
from pathlib import Path
from typing import NamedTuple

import limits
import load
import peers
import pieces
from load import ANSWER, KEPT, Fresh, Latency, LoadFailed, Request, earlier
from served import Connection, Listening

STALL_SECONDS = 0.5


class ToyServer:
    """Responds immediately, but stalls once, at the hundredth request of `/stall`. Records all
    requests."""

    def __init__(self):
        self.asked = []
        # The connections that requested each path.
        self.connections = {}
        self.loop = asyncio.new_event_loop()
        listening = asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = self.loop.run_until_complete(listening).sockets[0].getsockname()[1]
        threading.Thread(target=self.loop.run_forever, daemon=True).start()

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"content-length: (\d+)", head, re.I)
                body = await reader.readexactly(int(length.group(1)) if length else 0)
                path = head.split()[1].decode()
                self.asked.append((path, body))
                self.connections.setdefault(path, set()).add(writer)
                if path.startswith("/slow"):
                    await asyncio.sleep(0.05)
                for piece in self.answer(path):
                    writer.write(piece)
                    await asyncio.sleep(0.001)
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()

    def answer(self, path):
        head = b"HTTP/1.1 200 OK\r\n"
        if path == "/chunked":
            return [head + b"Transfer-Encoding: chunked\r\n\r", b"\n6\r\nin pie", b"\r\n3\r",
                    b"\nces", b"\r\n0\r\n\r\n"]
        if path == "/wrong":
            return [b"HTTP/1.1 500 Oh\r\ncontent-length: 4\r\n\r\noops"]
        if path in ("/sometimes", "/counted") and len(self.asked) % 3 == 0:
            return [b"HTTP/1.1 409 No\r\ncontent-length: 6\r\n\r\nno: 99"]
        if path == "/counted":
            return [head + f"content-length: 7\r\n\r\nyes: {7 + len(self.asked):02}".encode()]
        if path == "/stall" and sum(asked == (path, b"") for asked in self.asked) == 100:
            time.sleep(STALL_SECONDS)
        return [head + b"Content-Length: 8\r\n\r\nticket-1"]


def check():
    """Exits with an error if a check fails."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "requests"
        for one in (answers_in_pieces, fresh_guids, guids_of_earlier_plays, an_answer_that_is_used,
                    a_wrong_answer, refused_answers, a_number_that_is_kept, a_stall, each_once,
                    own_exchanges, what_came_of_a_round, goals_about_a_peer):
            if not one(path, ToyServer()):
                raise SystemExit(f"the load generator failed its check of {one.__name__}: "
                                 "its figures are worth nothing")


def played(path, server, sent, **options):
    return load.play(load.write(path, sent), server.port, **options)


def ask(path, body=b"", **options):
    head = f"POST {path} HTTP/1.1\r\nHost: toy\r\nContent-Length: {len(body)}\r\n\r\n"
    return Request(head.encode() + body, **options)


def answers_in_pieces(path, server):
    found = played(path, server, [[ask("/chunked", expected="with in pieces")]], exchanges=3)
    return found["statuses"] == {"200": 3}


def fresh_guids(path, server):
    """A guid is the same in all requests of an exchange, and differs between exchanges."""
    one, other = (Fresh(),) * 2
    body = f"{one()} {other()}".encode()
    played(path, server, [[ask("/a", body), ask("/b", body)]], exchanges=2)
    bodies = [body.decode() for _, body in server.asked]
    guids = {guid for body in bodies for guid in body.split()}
    return bodies[0] == bodies[1] != bodies[2] == bodies[3] and len(guids) == 4 and all(
        re.fullmatch("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}", guid)
        for guid in guids)


def guids_of_earlier_plays(path, server):
    """Each play names the guid of the previous one; the first play names an unused one."""
    guid, other = (fresh := Fresh())(), fresh()
    body = f"{guid} {other} {earlier(other)}".encode()
    played(path, server, [[ask("/a", body)]], exchanges=3)
    plays = [body.decode().split() for _, body in server.asked]
    guids = {guid for play in plays for guid in play}
    return [play[2] for play in plays[1:]] == [play[1] for play in plays[:2]] and len(guids) == 7


def an_answer_that_is_used(path, server):
    played(path, server, [[ask("/first"), ask(f"/then?of={ANSWER}")]], exchanges=1)
    return server.asked[-1][0] == "/then?of=ticket-1"


def a_wrong_answer(path, server):
    for request in (ask("/wrong"), ask("/right", expected="with another"),
                    ask("/right", expected="without ticket")):
        try:
            played(path, server, [[request]], exchanges=1)
            return False
        except LoadFailed as failure:
            if "1 answers were wrong" not in str(failure):
                return False
    return True


def refused_answers(path, server):
    """Refused responses are counted separately. It is a failure if all are refused."""
    found = played(path, server, [[ask("/sometimes")]], exchanges=9, count_refused=True)
    if (found["exchanges"], found["refused"], found["latency"]["count"]) != (6, 3, 6):
        return False
    try:
        played(path, server, [[ask("/wrong")]], exchanges=3, count_refused=True)
        return False
    except LoadFailed as failure:
        return "3 answers were wrong, the first of them: 500 oops" in str(failure)


def a_number_that_is_kept(path, server):
    """Only correct responses update the number; it is padded with spaces to a fixed length."""
    counted = ask("/counted", KEPT.encode(), expected="number 5 yes: ")
    played(path, server, [[counted]], exchanges=5, count_refused=True)
    sent = [body.decode() for _, body in server.asked]
    if sent != [f"{number:<36}" for number in ("5", "08", "09", "09", "11")]:
        return False
    # A repeated number is a wrong response.
    found = played(path, server, [[ask("/right", expected="number 0 ticket-")]], exchanges=3,
                   count_refused=True)
    head = ask(f"/{KEPT}", expected="number 42 ticket-")
    played(path, server, [[head]], exchanges=1)
    return (found["exchanges"], found["refused"]) == (1, 2) and server.asked[-1][0] == "/42"


def a_stall(path, server):
    """At a fixed rate, all exchanges scheduled during the stall are late: about a third."""
    found = played(path, server, [[ask("/stall")]], connections=4, rate=300, seconds=1.5)
    latency = Latency([found["latency"]])
    stall = STALL_SECONDS * 1e6
    return latency.percentile(50) < 0.2 * stall < 0.3 * stall < latency.percentile(85) \
        and 0.9 * stall < latency.most < 2 * stall


def each_once(path, server):
    """Each exchange runs once, also with more connections than exchanges, or at a rate."""
    for connections, rate in ((2, None), (8, None), (2, 200)):
        server.asked.clear()
        found = played(path, server, [[ask(f"/{number}")] for number in range(5)],
                       connections=connections, rate=rate, once=True)
        if found["exchanges"] != 5 or len({asked for asked, _ in server.asked}) != 5:
            return False
    return True


def own_exchanges(path, server):
    """Exchanges are bound to one connection, even if another one is idle."""
    sent = [[ask("/slow0")], [ask("/1")], [ask("/2")], [ask("/3")]]
    for options in ({"exchanges": 50}, {"once": True}):
        server.connections.clear()
        played(path, server, sent, connections=2, **options)
        found = server.connections
        if not found["/slow0"] == found["/2"] != found["/1"] == found["/3"]:
            return False
    return True


# Limits.

def check_limits(program):
    """Wrong usage of the limit program fails with a message, and so does a comparison of different
    databases."""
    with tempfile.TemporaryDirectory() as folder:
        folder = Path(folder)
        (folder / "empty").touch()
        for words, code in (([], 2), (["insert", "a", "b", "0"], 2), (["route", folder / "no"], 1),
                            (["scan", folder / "no"], 1), (["scan", folder / "empty"], 1),
                            (["insert", folder / "no", folder / "no", "1"], 1)):
            done = subprocess.run([program, *map(str, words)], capture_output=True, text=True,
                                  timeout=30)
            if (done.returncode, done.stdout) != (code, "") or "help: " not in done.stderr:
                raise SystemExit(f"'{' '.join(map(str, words))}' is not refused as it should be, "
                                 f"but ends with {done.returncode}: {done.stderr}")
        check_differences(folder)
        for _ in range(5):
            check_scan(program, folder)


def check_scan(program, folder):
    """Each of many concurrent requests gets its own response."""
    path = folder / "scanned"
    path.unlink(missing_ok=True)
    with contextlib.closing(sqlite3.connect(path)) as database:
        database.executescript("""
            PRAGMA journal_mode = WAL;
            CREATE TABLE records (place INTEGER PRIMARY KEY, fields, group_name, guid, model, owner,
                revision);
            INSERT INTO records (place, fields) VALUES (1, '{"a":1}'), (2, '{"a":2}'), (3, '{}')
            """)
    with Listening(program, "scan", path) as server:
        connections = [Connection(server.port) for _ in range(16)]
        for connection in connections:
            connection.send(b"GET /texts/1/1 HTTP/1.1\r\n\r\n")
        for connection in connections:
            while (answer := connection.answer()) is None:
                connection.receive()
            connection.socket.close()
            if answer != b'[{"a":2}]':
                raise SystemExit(f"a scan answers {answer} for the second record of three")


def check_differences(folder):
    paths = [folder / "one", folder / "other"]
    for path, number in zip(paths, (1, 2)):
        with contextlib.closing(sqlite3.connect(path)) as database:
            database.executescript(f"CREATE TABLE a (b); INSERT INTO a VALUES ({number})")
    limits.check_are_alike(paths[0], paths[0])
    try:
        limits.check_are_alike(*paths)
    except SystemExit:
        return
    raise SystemExit("rows that differ are taken for the same")


class Asked(NamedTuple):
    """The properties of a server that the result of a round depends on."""
    name: str
    title: str = "a server"


def what_came_of_a_round(path, server):
    """Only stored records count; a server that confirms records must have stored them."""
    create, _, update, *_ = pieces.WORKS
    figures = {"exchanges": 8, "refused": 2, "seconds": 2}
    batch = pieces.Way(Asked(peers.MEASURE), create, 25, None)
    found = peers.found(batch, figures, 150)
    if (found.sent, found.done, found.rate, found.requests) != (250, 150, 75, 4):
        return False
    whole = {**figures, "refused": 0}
    if peers.found(pieces.Way(Asked("waggle"), update, 1, None), whole, 0).done != 8:
        return False
    return all(said in failure_of(peers.found, *round) for said, round in {
        "200 records were answered as made, and 199 are there":
            (pieces.Way(Asked("waggle"), create, 25, None), whole, 199),
        "2 requests of 10 records in all were refused":
            (pieces.Way(Asked("waggle"), update, 1, None), figures, 0),
        "nothing was done in a round": (batch, figures, 0)}.items())


def failure_of(body, *arguments):
    try:
        body(*arguments)
    except SystemExit as failure:
        return str(failure)
    return ""


def goals_about_a_peer(path, server):
    """A goal is met or missed; a way that is not judged has neither result."""
    def round_of(rate):
        return peers.Round({"seconds": 1, "exchanges": rate}, rate, rate)

    def took(milliseconds):
        return {"p99": {"median": milliseconds}} if milliseconds else {}

    def outcome(rate, milliseconds, is_judged=True):
        way = pieces.Way(Asked("waggle"), pieces.WORKS[0], 1, None, is_judged=is_judged)
        ours = {"title": "ours", "latency": took(milliseconds),
                **peers.ratio_entry(way, [round_of(rate)], [round_of(10)], True),
                **peers.tail_entry(took(milliseconds), took(20), True)}
        return [holds for holds, _ in peers.goals(
            {"title": "create"}, {"title": "theirs", "latency": took(20), "rate": 5}, ours)]

    return (outcome(300, 20), outcome(299, 20), outcome(300, 21), outcome(300, None),
            outcome(299, 21, False)) == \
        ([True, True], [False, True], [True, False], [True, False], [False])
