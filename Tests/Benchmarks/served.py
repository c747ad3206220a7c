"""The server of a benchmark: a real process with a database in a separate folder."""
import copy
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import uuid
from pathlib import Path
from typing import NamedTuple

DEFINITION = Path(__file__).parents[2] / "Definitions" / "FieldService" / "application.xml"


class User(NamedTuple):
    login: str
    group: str
    device: str
    # The rights of the user as text.
    gets: str


DISPATCHER = User("dora", "dispatchers", "office", "all fields")
TECHNICIAN = User("tina", "technicians", "mobile", "some fields")


class Site:
    """A database with a definition and users, but no records: a file in the folder, or an
    address."""

    def __init__(self, waggle, folder, database=None, definition=DEFINITION,
                 users=(DISPATCHER, TECHNICIAN)):
        self.waggle = waggle
        self.folder = folder
        self.definition = definition
        folder.mkdir()
        self.database = database or str(folder / "app.sqlite")
        self.tool("deploy", str(definition))
        for user in users:
            self.tool("user", "add", user.login, "--group", user.group, "--password-stdin",
                      given="a password\n")

    def copied(self, folder):
        """Copies the site, whose file no server has open, to another folder. The copy is flushed,
        so that the system does not write it during a measurement."""
        shutil.copytree(self.folder, folder)
        for path in folder.rglob("*"):
            if path.is_file():
                with path.open("rb") as file:
                    os.fsync(file.fileno())
        twin = copy.copy(self)
        twin.folder, twin.database = folder, str(folder / "app.sqlite")
        return twin

    def tool(self, *arguments, given=""):
        subprocess.run([self.waggle, *arguments, "--database", self.database], input=given,
                       text=True, check=True, capture_output=True)

    def bytes(self):
        return sum(path.stat().st_size for path in self.folder.iterdir())


class Listening:
    """A process whose first line of output has its address. `with` ends it; then `peak_mb` is its
    peak memory."""

    def __init__(self, *command):
        self.log = tempfile.TemporaryFile("w+")
        self.process = subprocess.Popen([str(word) for word in command], text=True,
                                        stdout=subprocess.PIPE, stderr=self.log)
        banner = self.process.stdout.readline()
        if not banner:
            sys.exit(f"no server: {self.said()}")
        self.port = int(banner.rpartition(":")[2])
        self.address = f"http://127.0.0.1:{self.port}"
        self.peak_mb = None

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        _, status, usage = os.wait4(self.process.pid, 0)
        self.process.returncode = os.waitstatus_to_exitcode(status)
        self.process.stdout.close()
        self.log.close()
        # Linux reports KiB.
        self.peak_mb = usage.ru_maxrss * 1024 / 1e6

    def said(self):
        """The standard error of the process so far."""
        self.log.seek(0)
        return self.log.read()

    def forget_peak(self):
        """Resets `peak_so_far_mb`."""
        self.about("clear_refs").write_text("5")

    def peak_so_far_mb(self):
        line = re.search(r"VmHWM:\s*(\d+) kB", self.about("status").read_text())
        return int(line.group(1)) * 1024 / 1e6

    def about(self, name):
        return Path("/proc") / str(self.process.pid) / name


class Server(Listening):
    def __init__(self, site, *arguments):
        super().__init__(site.waggle, "serve", site.definition, "--database", site.database,
                         "--port", "0", "--log-level", "warning", *arguments)
        self.site = site

    def client(self, user):
        return Client(self.port, user)


# A server ends at once, if it ends at all.
STOP_SECONDS = 30


class Cluster:
    """A separate PostgreSQL with durable commits, which ends with this process."""

    def __init__(self, folder):
        # PostgreSQL does not run as root, so its user has to get through.
        folder.chmod(0o755)
        self.folder = folder / "postgres"
        script = Path(__file__).parents[1] / "PostgresKit" / "supervise.sh"
        self.process = subprocess.Popen(["sh", str(script), str(self.folder)], text=True,
                                        stdout=subprocess.PIPE, stdin=subprocess.DEVNULL,
                                        env={**os.environ, "FSYNC": "on"})
        if self.process.stdout.readline() != "ready\n":
            sys.exit("PostgreSQL did not start")
        self.fill_log()

    def fill_log(self):
        """Leaves files of the write-ahead log to be used again, as in a cluster that has run for a
        while. A new one would be filled with zeros and synced whenever 16 MB are full, which stops
        all commits for up to 0.1 s."""
        self.run("psql", "--quiet", "postgres", given=(
            "ALTER SYSTEM SET min_wal_size = '1GB';\nSELECT pg_reload_conf();\n"
            + "SELECT pg_logical_emit_message(false, '', ''), pg_switch_wal();\n" * 60
            + "CHECKPOINT;\n"))

    def database(self, name, template="template0"):
        """Creates a database, and returns its address."""
        self.run("createdb", f"--template={template}", name)
        return self.address(name)

    def address(self, name):
        return f"postgres://waggle@/{name}?host={self.folder}"

    def durability(self):
        """The settings of durability, as the server reports them."""
        said = {name: self.run("psql", "-Atc", f"SHOW {name}", "postgres").strip()
                for name in ("fsync", "synchronous_commit")}
        return "PostgreSQL, " + ", ".join(f"{name} {value}" for name, value in said.items())

    def analyze(self, name):
        """Updates the planner's statistics, which autovacuum would do during a measurement."""
        self.run("vacuumdb", "--analyze", "--quiet", name)

    def end(self):
        """Ends the server immediately, unless it has ended, so that its folder can be removed."""
        number = self.folder / "data" / "postmaster.pid"
        try:
            os.kill(int(number.read_text().split()[0]), signal.SIGINT)
        except (FileNotFoundError, ProcessLookupError):
            return
        until = time.monotonic() + STOP_SECONDS
        while number.exists() and time.monotonic() < until:
            time.sleep(0.05)

    def run(self, command, *arguments, given=None):
        done = subprocess.run([command, f"--host={self.folder}", "--username=waggle", *arguments],
                              input=given, text=True, capture_output=True)
        if done.returncode:
            sys.exit(f"{command}: {done.stderr}")
        return done.stdout


class Client:
    """A signed-in user on a persistent connection."""

    def __init__(self, port, user):
        self.connection = Connection(port)
        session = self.connection.ask(request("session", "", {
            "login": user.login, "password": "a password", "deviceCategory": user.device,
            "deviceIdentifier": str(uuid.uuid4())}))
        self.token = session["token"]

    def sync(self, **members):
        return self.connection.ask(self.request(**members))

    def request(self, **members):
        return request("sync", f"Authorization: Bearer {self.token}\r\n", members)

    def everything(self, limit):
        """The number of records, and the cursor after them."""
        count, cursor, more = 0, None, True
        while more:
            page = self.sync(limit=limit, cursor=cursor)
            count += len(page["records"])
            cursor, more = page["cursor"], page["more"]
        return count, cursor


def request(path, headers, message):
    body = json.dumps(message).encode()
    head = f"POST /v1/test/{path} HTTP/1.1\r\nHost: localhost\r\n{headers}" \
           f"Content-Length: {len(body)}\r\n\r\n"
    return head.encode() + body


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.received = b""

    def ask(self, request):
        return json.loads(self.exchange(request))

    def exchange(self, request):
        self.send(request)
        while (answer := self.answer()) is None:
            self.receive()
        return answer

    def send(self, request):
        self.socket.sendall(request)

    def receive(self):
        # The system would map and unmap a larger buffer each time.
        received = self.socket.recv(1 << 16)
        if not received:
            raise SystemExit("the server closed a connection")
        self.received += received

    def answer(self):
        """The body of the next response; None while it is incomplete."""
        head, found, rest = self.received.partition(b"\r\n\r\n")
        if not found:
            return None
        length = int(re.search(rb"content-length: *(\d+)", head, re.I).group(1))
        if len(rest) < length:
            return None
        if not re.match(rb"HTTP/1.1 20\d ", head):
            raise SystemExit(f"the server answered {rest[:length].decode()}")
        self.received = rest[length:]
        return rest[:length]
