"""Runs Kinto for comparison, with PostgreSQL, and uWSGI with two processes of eight threads. There
are one bucket, one collection, and one user with all rights."""
import base64
import http.client
import json
import re
import signal
import subprocess
import sys
import time
from urllib.parse import urlsplit

import installed
from load import KEPT, Request
from pieces import CONNECTIONS, Way, check_pages, fields, walks
from sync import tell

PROCESSES = 2
THREADS = CONNECTIONS // PROCESSES
# The maximum number of requests in a batch.
MOST_OF_A_BATCH = 25
COLLECTION = "/v1/buckets/bench/collections/rec"
RECORDS = f"{COLLECTION}/records"
HEADERS = {"Authorization": "Basic " + base64.b64encode(b"bench:pw").decode(),
           "Content-Type": "application/json"}
START_SECONDS = 60
IDLE_SECONDS = 120

APPLICATION = """
import json, pathlib, kinto
application = kinto.main({}, **json.loads(
    pathlib.Path(__file__).with_name("settings.json").read_text()))
"""
MIGRATION = APPLICATION + """
from kinto.core.scripts import migrate
migrate({"registry": application.registry})
"""
# Copies a record that Kinto has created, with its permissions.
COPIES = """
WITH made AS (INSERT INTO objects (id, parent_id, resource_name, data, deleted)
    SELECT gen_random_uuid()::text, parent_id, resource_name,
        data || jsonb_build_object('name', 'Customer number ' || number), false
    FROM objects, generate_series(1, {count}) AS number
    WHERE id = '{guid}' AND resource_name = 'record' RETURNING parent_id, id)
INSERT INTO access_control_entries (object_id, permission, principal)
    SELECT made.parent_id || '/records/' || made.id, permission, principal
    FROM made, access_control_entries
    WHERE object_id = '/buckets/bench/collections/rec/records/{guid}';
"""


class Kinto:
    name = "kinto"
    title = f"Kinto {installed.KINTO}"
    about = f"PostgreSQL; uWSGI, {PROCESSES} processes of {THREADS} threads; one collection, and " \
            "rights of whole records"

    def __init__(self, options, folder, cluster):
        self.environment = installed.kinto()
        self.records = options.records
        self.folder = folder / "kinto"
        self.cluster = cluster
        self.folder.mkdir()
        (self.folder / "application.py").write_text(APPLICATION)
        (self.folder / "migration.py").write_text(MIGRATION)
        # The paths of all pages, by page size.
        self.pages = {}
        self.durability = cluster.durability()

    def prepare(self, works):
        address = self.cluster.database("kinto")
        self.configure(address)
        installed.run("Kinto's tables", self.environment / "bin" / "python",
                      self.folder / "migration.py")
        with Running(self, "kinto") as server:
            server.ask("PUT", "/v1/buckets/bench")
            server.ask("PUT", COLLECTION)
        if any(work.page for work in works):
            self.cluster.database("kinto_filled", template="kinto")
            self.fill([work.page for work in works if work.page])
            self.cluster.analyze("kinto_filled")

    def fill(self, sizes):
        tell(f"storing {2 * self.records:,} records in Kinto")
        with Running(self, "kinto_filled") as server:
            made = server.ask("POST", RECORDS, {"data": fields(0)})
            self.copy(made["data"]["id"], self.records - 1)
            last = server.ask("GET", f"{RECORDS}?_sort=-last_modified&_limit=1")
            self.copy(made["data"]["id"], self.records)
            since = last["data"][0]["last_modified"]
            self.pages = {size: server.walk(
                f"{RECORDS}?_since={since}&_sort=last_modified&_limit={size}", size, self.records)
                for size in sizes}

    def copy(self, guid, count):
        self.cluster.run("psql", "--quiet", "-v", "ON_ERROR_STOP=1", "kinto_filled",
                         given=COPIES.format(guid=guid, count=count))

    def configure(self, address):
        # Its driver requires another scheme than `postgres`.
        url = address.replace("postgres://", "postgresql://", 1)
        (self.folder / "settings.json").write_text(json.dumps({
            "kinto.storage_backend": "kinto.core.storage.postgresql", "kinto.storage_url": url,
            "kinto.permission_backend": "kinto.core.permission.postgresql",
            "kinto.permission_url": url, "kinto.cache_backend": "kinto.core.cache.memory",
            "kinto.userid_hmac_secret": "only measured", "multiauth.policies": "basicauth",
            "kinto.bucket_create_principals": "system.Authenticated",
            "kinto.storage_max_fetch_size": "10000", "kinto.paginate_by": "10000"}))

    def ways(self, work):
        if work.page:
            return [Way(self, work, work.page, lambda server, most: (
                [Request(message("GET", path), expected="")]
                for path in walks(self.pages[work.page])))]
        return [{"create": Way(self, work, 1, creations),
                 "batch": Way(self, work, MOST_OF_A_BATCH, batches,
                              note=f"{MOST_OF_A_BATCH} a request"),
                 "update": Way(self, work, 1, updates)}[work.name]]

    def running(self, work):
        if work.page:
            return Running(self, "kinto_filled")
        self.cluster.database("kinto_round", template="kinto")
        return Running(self, "kinto_round", is_dropped=True)


class Running:
    def __init__(self, kinto, database, is_dropped=False):
        self.kinto, self.database, self.is_dropped = kinto, database, is_dropped
        kinto.configure(kinto.cluster.address(database))
        self.log = kinto.folder / "log"
        with self.log.open("wb") as log:
            self.process = subprocess.Popen([
                "setpriv", "--pdeathsig", "TERM", str(kinto.environment / "bin" / "uwsgi"),
                "--http11-socket", "127.0.0.1:0", "--so-keepalive", "--master", "--lazy-apps",
                "--single-interpreter", "--processes", str(PROCESSES), "--threads", str(THREADS),
                "--wsgi-file", str(kinto.folder / "application.py"), "--buffer-size", "65535",
                # By default, connections are closed when they are idle for four seconds.
                "--socket-timeout", str(IDLE_SECONDS),
                "--disable-logging", "--die-on-term", "--home", str(kinto.environment)],
                stdout=log, stderr=log, stdin=subprocess.DEVNULL)
        self.port = self.started()

    def started(self):
        """The port, once all processes have started."""
        until = time.monotonic() + START_SECONDS
        while self.process.poll() is None and time.monotonic() < until:
            said = self.log.read_text(errors="replace")
            if said.count("WSGI app 0 (mountpoint='') ready") == PROCESSES:
                return int(re.search(r"bound to TCP address 127\.0\.0\.1:(\d+)", said).group(1))
            time.sleep(0.05)
        self.end()
        sys.exit(f"Kinto did not start: {self.log.read_text(errors='replace')[-3000:]}")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.end()
        if self.is_dropped:
            self.kinto.cluster.run("dropdb", "--force", self.database)

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def count(self):
        return int(self.kinto.cluster.run(
            "psql", "-Atc", "SELECT count(*) FROM objects WHERE resource_name = 'record'",
            self.database))

    def ask(self, method, path, body=None):
        return json.loads(self.exchange(method, path, body)[1])

    def exchange(self, method, path, body=None):
        """Uses a new connection, because a persistent one would occupy a thread."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port)
        connection.request(method, path, body and json.dumps(body), HEADERS)
        answer = connection.getresponse()
        content = answer.read()
        connection.close()
        if answer.status >= 300:
            sys.exit(f"Kinto answered {answer.status} to {method} {path}: {content[:1000]}")
        return answer, content

    def walk(self, path, size, records):
        """The paths of all pages."""
        paths, found = [], []
        while path:
            paths.append(path)
            answer, content = self.exchange("GET", path)
            found.append(len(json.loads(content)["data"]))
            next_page = answer.getheader("Next-Page")
            path = next_page and urlsplit(next_page)._replace(scheme="", netloc="").geturl()
        check_pages("Kinto", found, size, records)
        return paths


def message(method, path, body=None, headers=""):
    content = json.dumps(body).encode() if body else b""
    lines = "".join(f"{name}: {value}\r\n" for name, value in HEADERS.items())
    return (f"{method} {path} HTTP/1.1\r\nHost: localhost\r\n{lines}{headers}"
            f"Content-Length: {len(content)}\r\n\r\n").encode() + content


def creations(server, most):
    for number in range(CONNECTIONS):
        yield [Request(message("POST", RECORDS, {"data": fields(number)}), status=201)]


def batches(server, most):
    """A response of a batch has a status for each record; some can be refusals."""
    yield [Request(message("POST", "/v1/batch", {
        "defaults": {"method": "POST", "path": RECORDS},
        "requests": [{"body": {"data": fields(number)}} for number in range(MOST_OF_A_BATCH)]}))]


def updates(server, most):
    for number in range(CONNECTIONS):
        made = server.ask("POST", RECORDS, {"data": fields(number)})["data"]
        yield [Request(
            message("PUT", f"{RECORDS}/{made['id']}", {"data": fields(number + 1)},
                    f'If-Match: "{KEPT}"\r\n'),
            expected=f'number {made["last_modified"]} "last_modified":')]
