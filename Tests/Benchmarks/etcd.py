"""Runs etcd for comparison: a key-value store with revisions that flushes its log at each commit,
used through its gateway for JSON over HTTP, without rights."""
import base64
import http.client
import itertools
import json
import shutil
import signal
import socket
import subprocess
import sys
import time
import uuid

import installed
from load import KEPT, Request
from pieces import CONNECTIONS, Way, check_pages, fields, unquoted, walks
from sync import tell

# The maximum number of operations in a transaction.
MOST_OF_A_BATCH = 128
START_SECONDS = 30
STARTS = 5
# More creations and batches than it processes per second, since each is sent once.
CREATES = 12_000
BATCHES = 400
OLD, NEW = b"customer/1/", b"customer/2/"
JSON_TYPE = {"Content-Type": "application/json"}


class Etcd:
    name = "etcd"
    about = "one server, asked by JSON over HTTP; no rights, and no pages of changes: a pull " \
            "goes by key, which is its quickest way"
    durability = "its log, synced at each commit"

    def __init__(self, options, folder):
        self.program = installed.etcd()
        said = subprocess.run([self.program, "--version"], capture_output=True, text=True)
        self.title = f"etcd {said.stdout.split()[2]}"
        self.records = options.records
        self.folder = folder / "etcd"
        self.folder.mkdir()
        # The first keys of all pages, by page size.
        self.pages = {}

    def prepare(self, works):
        sizes = [work.page for work in works if work.page]
        if not sizes:
            return
        tell(f"storing {2 * self.records:,} records in etcd")
        with Running(self, self.folder / "filled") as server:
            for prefix in (OLD, NEW):
                for part in parts(range(self.records), MOST_OF_A_BATCH):
                    server.ask("txn", made(part, prefix))
            self.pages = {size: server.walk(size, self.records) for size in sizes}

    def ways(self, work):
        if work.page:
            return [Way(self, work, work.page, lambda server, most: (
                [Request(message("range", page(first, work.page)))]
                for first in walks(self.pages[work.page])))]
        return [{"create": Way(self, work, 1, creations(1), once=CREATES),
                 "batch": Way(self, work, MOST_OF_A_BATCH, creations(MOST_OF_A_BATCH),
                              note=f"{MOST_OF_A_BATCH} a request", once=BATCHES),
                 "update": Way(self, work, 1, updates)}[work.name]]

    def running(self, work):
        if work.page:
            return Running(self, self.folder / "filled")
        return Running(self, self.folder / "round", is_removed=True)


class Running:
    def __init__(self, etcd, folder, is_removed=False):
        self.etcd, self.folder, self.is_removed = etcd, folder, is_removed
        self.log = etcd.folder / "log"
        for _ in range(STARTS):
            if self.is_started():
                return
        sys.exit(f"etcd did not start: {self.log.read_text(errors='replace')[-3000:]}")

    def is_started(self):
        """Starts etcd on free ports; false if it ends, as when a port was taken meanwhile."""
        self.port, peers = free_ports(2)
        address, inner = (f"http://127.0.0.1:{port}" for port in (self.port, peers))
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([
                "setpriv", "--pdeathsig", "TERM", str(self.etcd.program), "--data-dir",
                str(self.folder), "--listen-client-urls", address, "--advertise-client-urls",
                address, "--listen-peer-urls", inner, "--initial-advertise-peer-urls", inner,
                "--initial-cluster", f"default={inner}", "--log-level", "error"],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        until = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            if self.is_healthy():
                return True
            time.sleep(0.05)
        self.end()
        return False

    def is_healthy(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/health")
            return b'"true"' in connection.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False

    def __enter__(self):
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port)
        return self

    def __exit__(self, *_):
        self.connection.close()
        self.end()
        if self.is_removed:
            shutil.rmtree(self.folder)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()

    def count(self):
        return int(self.ask("range", {"key": text(OLD), "range_end": after(NEW),
                                      "count_only": True}).get("count", 0))

    def ask(self, path, body):
        self.connection.request("POST", f"/v3/kv/{path}", json.dumps(body), JSON_TYPE)
        answer = self.connection.getresponse()
        content = answer.read()
        if answer.status != 200:
            sys.exit(f"etcd answered {answer.status}: {content[:1000]}")
        return json.loads(content)

    def walk(self, size, records):
        """The first key of each page."""
        keys, counts, first, more = [], [], text(NEW), True
        while more:
            keys.append(first)
            found = self.ask("range", page(first, size))
            counts.append(len(found["kvs"]))
            last, more = found["kvs"][-1]["key"], found.get("more", False)
            first = text(base64.b64decode(last) + b"\0")
        check_pages("etcd", counts, size, records)
        return keys


def free_ports(count):
    sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [each.getsockname()[1] for each in sockets]
    for each in sockets:
        each.close()
    return ports


def text(key):
    return base64.b64encode(key).decode()


def after(prefix):
    """The end of the range of keys with this prefix."""
    return text(prefix[:-1] + bytes([prefix[-1] + 1]))


def page(first, size):
    return {"key": first, "range_end": after(NEW), "limit": size}


def value(number):
    return text(json.dumps(fields(number)).encode())


def made(numbers, prefix=NEW):
    """A transaction that creates records with new keys."""
    keys = [text(prefix + uuid.uuid4().hex.encode()) for _ in numbers]
    return {"compare": [{"key": key, "target": "CREATE", "create_revision": 0} for key in keys],
            "success": [{"request_put": {"key": key, "value": value(number)}}
                        for key, number in zip(keys, numbers)]}


def parts(numbers, size):
    numbers = iter(numbers)
    while part := list(itertools.islice(numbers, size)):
        yield part


def message(path, body):
    content = json.dumps(body).encode()
    return (f"POST /v3/kv/{path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n").encode() + content


def creations(count):
    def exchanges(server, most):
        for _ in range(most):
            yield [Request(message("txn", made(range(count))), expected='with "succeeded":true')]
    return exchanges


def updates(server, most):
    for number in range(CONNECTIONS):
        transaction = made([number])
        revision = server.ask("txn", transaction)["header"]["revision"]
        put = transaction["success"][0]["request_put"]
        yield [Request(unquoted(message("txn", {
            "compare": [{"key": put["key"], "target": "MOD", "mod_revision": KEPT}],
            "success": [{"request_put": {**put, "value": value(number + 1)}}]})),
            expected=f'number {revision} "response_put":{{"header":{{"revision":"')]
