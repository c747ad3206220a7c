"""Compares workloads of `waggle serve` with upper bounds: the same work without the server's
decisions, measured in the same rounds."""
import contextlib
import json
import shutil
import sqlite3
import statistics
import subprocess
from typing import Callable, NamedTuple

import commands
import words
import workloads
from load import Request
from rig import in_turns, processor_ms, spread
from served import Connection, Listening, Server
from stored import BATCH
from suite import workload_list
from sync import tell


class Measured(NamedTuple):
    # Per second in the comparison's unit, and milliseconds of processor time for each.
    rate: float
    processor: float
    # The share of a core that the load generator used; None without one.
    load: float | None = None


class Side(NamedTuple):
    """One side of a comparison."""
    name: str
    title: str
    # Describes its work; for a limit, also what it omits.
    about: str
    # Runs a round with a `Bench`, and returns a `Measured`.
    measure: Callable


class Comparison(NamedTuple):
    name: str
    ours: Side
    limit: Side
    unit: str
    # The minimum of our rate, as a fraction of the limit's.
    least_share: float | None = None
    # The maximum of our processor time, as a multiple of the limit's.
    most_cost: float | None = None

    @property
    def is_judged_by_cost(self):
        return self.most_cost is not None

    @property
    def title(self):
        return f"{self.ours.title} beside {self.limit.title}"


def comparison_list(options, folder):
    found = {item.name: item for item in workload_list(options)}
    first, read = found["first-sync"], found["first-sync-read"]
    return [
        nothing(found["pull-nothing"]),
        inserts(found["push-1"], "a transaction for each record", 1, least_share=0.6),
        inserts(found["push-100"], "100 records in a transaction", 100, least_share=0.4),
        scan(first, least_share=0.4), copies(first), scan(read), records_scan(read),
        hidden(found["pull-100-partly"], found["pull-100"]),
        hidden(found["first-sync-partly"], read),
        parsing(options, folder)]


def measured(rig, chosen):
    """The entries of the report, one for each comparison."""
    bench = Bench(rig)
    sides = {side.name: side for item in chosen for side in (item.ours, item.limit)}
    rounds = in_turns(rig.options.rounds, "beside its limit", list(sides.values()),
                      lambda side: side.measure(bench))
    return [entry(item, rounds[item.ours.name], rounds[item.limit.name], rig.options.smoke)
            for item in chosen]


def entry(item, ours, limit, is_smoke):
    """Shares and costs are computed per round, in which both sides run one after the other."""
    share = spread(one.rate / other.rate for one, other in zip(ours, limit))
    cost = spread(one.processor / other.processor for one, other in zip(ours, limit))
    least, most = (None, None) if is_smoke else (item.least_share, item.most_cost)
    return {
        "name": item.name, "kind": "limit", "title": item.title, "unit": item.unit,
        "ours": side_entry(item.ours, ours), "limit": side_entry(item.limit, limit),
        "share": share, "cost": cost, "by": "cost" if item.is_judged_by_cost else "share",
        "leastShare": least, "mostCost": most,
        "holds": (least is None or share["median"] >= least)
        and (most is None or cost["median"] <= most)}


def side_entry(side, rounds):
    return {"title": side.title, "about": side.about,
            "throughput": spread(each.rate for each in rounds),
            "processor": spread(each.processor for each in rounds),
            "load": None if rounds[0].load is None else spread(each.load for each in rounds)}


def tell_goals(entries):
    """Prints the goals, and returns the exit code."""
    for found in entries:
        if found["leastShare"] is not None or found["mostCost"] is not None:
            print(f"{'holds' if found['holds'] else 'MISSED'}: {goal(found)}")
    return 0 if all(found["holds"] for found in entries) else 1


def goal(found):
    if found["mostCost"] is not None:
        return f"{found['ours']['title']} costs {found['cost']['median']:.2f} times as much as " \
               f"{found['limit']['title']}, at most {found['mostCost']}"
    return f"{found['ours']['title']} comes to {words.share(found['share']['median'])} of " \
           f"{found['limit']['title']}, at least {words.share(found['leastShare'])}"


class Bench:
    """The shared state of the rounds of both sides."""

    def __init__(self, rig):
        self.rig = rig
        self.program = rig.options.limit_benchmark
        self.folder = rig.folder
        self.stored = rig.database("service")
        # The site of the last writing workload, after its round.
        self.left = self.folder / "left"
        self.write_answers()
        commands.write_documents(rig.options, self.folder)

    def write_answers(self):
        """Stores responses of our server as constants for the limit program."""
        tell("asking for answers that are to be constant")
        stored, user = self.stored, self.stored.user
        with Server(stored.site) as server:
            client = server.client(user)
            for name, cursor in (("nothing", stored.cursors[user]), ("page", None)):
                message = client.request(cursor=cursor, limit=min(BATCH, stored.records))
                self.answer(name).write_bytes(client.connection.exchange(message))
        check_is_answered(stored, self.answer("page").read_text())

    def answer(self, name):
        return self.folder / f"{name}.json"

    def play(self, workload, **options):
        found = self.rig.play(workload, self.stored, **options)
        return Measured(found.rate * workload.units, processor_ms(found) / workload.units,
                        found.figures["ownProcessorSeconds"] / found.figures["seconds"])

    def play_constant(self, workload, name):
        return self.play(
            workload._replace(name=f"constant answer to {workload.name}"),
            serve=lambda site: Listening(self.program, "route", self.answer(name)))

    def play_and_keep(self, workload):
        shutil.rmtree(self.left, ignore_errors=True)
        return self.play(workload, keep=self.left)

    def insert(self, records):
        """Inserts the records that the previous round has pushed, `records` per transaction.
        Repeats this on other copies until it has taken as long as a round."""
        found = []
        while sum(each["seconds"] for each in found) < self.rig.options.seconds:
            before = self.stored.site.copied(self.folder / "before")
            try:
                found.append(self.run("insert", before.database, self.left / "app.sqlite", records))
                if len(found) == 1:
                    check_are_alike(before.database, self.left / "app.sqlite")
            finally:
                shutil.rmtree(before.folder)
        shutil.rmtree(self.left)
        count, seconds, processor = (sum(each[name] for each in found) for name in (
            "records", "seconds", "processorSeconds"))
        return Measured(count / seconds, 1000 * processor / count)

    def run(self, *arguments):
        done = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return json.loads(done.stdout)

    def play_scan(self, workload, form):
        return self.play(
            workload._replace(name=f"scan of {form}", exchanges=scans(form)),
            serve=lambda site: Listening(self.program, "scan", site.database))

    def command(self, command):
        costs = commands.run(command, self.rig.options.seconds)
        wall, processor = (statistics.median(getattr(cost, name) for cost in costs)
                           for name in ("wall_ms", "cpu_ms"))
        return Measured(1000 / wall, processor)


# The text that a bare loop writes for a record, as in our responses.
RECORD = """'{"conflicted":false,"deleted":false,"fields":' || fields || ',"group":"' || group_name
    || '","guid":"' || guid || '","model":"' || model || '","owner":"' || owner
    || '","revision":' || revision || '}'"""
FORMS = {"texts": "fields", "records": RECORD}


def check_are_alike(one, other):
    """Checks that the limit has written the same rows as our server."""
    with contextlib.closing(sqlite3.connect(one)) as database:
        database.execute("ATTACH ? AS other", [str(other)])
        for table, in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'"):
            differ = f"SELECT count(*) FROM (SELECT * FROM {{}}.{table} " \
                     f"EXCEPT SELECT * FROM {{}}.{table})"
            for pair in (("main", "other"), ("other", "main")):
                count, = database.execute(differ.format(*pair)).fetchone()
                if count:
                    raise SystemExit(f"the limit and our server differ in {count:,} rows of the "
                                     f"table '{table}', so they cannot be compared")


def check_is_answered(stored, answer):
    """Checks that `RECORD` gives records as in our responses."""
    with contextlib.closing(sqlite3.connect(stored.site.database)) as database:
        rows = database.execute(f"SELECT {RECORD} FROM records ORDER BY place LIMIT {BATCH}")
        records = ",".join(text for text, in rows)
    if f"[{records}]" not in answer:
        raise SystemExit("our server answers other records than the bare loop writes, so the loop "
                         "is no limit: mend 'appendRecord' in Tests/LimitBenchmark")


def scans(form):
    """The pages of a first sync, each from the end of the previous one."""
    def exchanges(stored, server, seconds):
        with contextlib.closing(sqlite3.connect(stored.site.database)) as database:
            rows = database.execute(f"SELECT place, {FORMS[form]} FROM records ORDER BY place")
            rows = rows.fetchall()
        exchange, seen = [], 0
        for _, limit in stored.pages[stored.user]:
            place = rows[seen - 1][0] if seen else 0
            exchange.append(Request(f"GET /{form}/{place}/{limit} HTTP/1.1\r\n\r\n".encode()))
            seen += limit
        check_has_all(server, exchange, [text for _, text in rows])
        yield exchange
    return exchanges


def check_has_all(server, exchange, texts):
    connection = Connection(server.port)
    with contextlib.closing(connection.socket):
        answers = [connection.exchange(request.message).decode() for request in exchange]
    if ",".join(answer[1:-1] for answer in answers) != ",".join(texts):
        raise SystemExit("the bare loop does not write all that is stored, so it is no limit")


def ours(workload):
    return Side(workload.name, workload.title, workload.about,
                lambda bench: bench.play(workload))


def nothing(workload):
    limit = Side(
        "constant", "a constant route",
        "A Hummingbird server that answers the same requests with the bytes of our answer, on "
        "the same connections. It looks neither at their tokens nor at their bodies, and has no "
        "database.",
        lambda bench: bench.play_constant(workload, "nothing"))
    return Comparison("pull-nothing", ours(workload), limit, "pulls", least_share=0.6)


def inserts(workload, batches, records, least_share):
    limit = Side(
        f"insert-{records}", f"raw inserts, {batches}",
        "Prepared inserts, through SQLite's own interface, of the rows that these pushes wrote: "
        "into the same tables and indexes of the same database, with the same durability. One "
        "process that has all rows in memory and both processors for itself: no requests, no "
        "answers, nothing is read, checked or decided.",
        lambda bench: bench.insert(records))
    side = Side(workload.name, workload.title, workload.about,
                lambda bench: bench.play_and_keep(workload))
    return Comparison(workload.name, side, limit, "changes", least_share=least_share)


def scan(workload, least_share=None):
    limit = Side(
        "scan", "a bare loop over the stored rows",
        "Steps through the same rows in the order of their changes and writes their stored texts "
        "to the socket, as many in an answer, for as many connections, each with a thread of its "
        "own. Nothing but these texts, and no server: no guids, no revisions, no rights, no "
        "tokens, no cursors.",
        lambda bench: bench.play_scan(workload, "texts"))
    return Comparison(workload.name, ours(workload), limit, "records", least_share)


def records_scan(workload):
    """Has no goal: it shows the share of the cost that is due to the format of our responses."""
    limit = Side(
        "scan-records", "a bare loop that writes our records",
        "The same loop, which writes for each row what our answer has of a record, byte for byte.",
        lambda bench: bench.play_scan(workload, "records"))
    return Comparison(f"{workload.name}-records", ours(workload), limit, "records")


def copies(workload):
    """Requests one page repeatedly."""
    def play(bench):
        count = min(BATCH, bench.stored.records)
        return bench.play_constant(workload._replace(units=count, exchanges=first_page), "page")

    limit = Side(
        "copy", "a page from memory",
        "A Hummingbird server that answers with the bytes of our first page, again and again. It "
        "has no database, and looks at nothing.", play)
    return Comparison(f"{workload.name}-copied", ours(workload), limit, "records")


def first_page(stored, server, seconds):
    for token in stored.tokens[stored.user]:
        yield [Request(workloads.sync(token, limit=BATCH))]


def hidden(partly, whole):
    return Comparison(partly.name, ours(partly), ours(whole), "records", most_cost=1.5)


def parsing(options, folder):
    """Has no goal here; `make bench-compile` checks it."""
    ours = next(item for item in commands.command_list(options, folder)
                if item.name == "compile-many")
    limit = commands.Command(
        "parse-many", "libxml2 alone", "'xmllint --sax --noout': libxml2 reads the same document, "
        "and nobody listens. No tree, no checks, no JSON.",
        ["xmllint", "--sax", "--noout", str(folder / commands.MANY)], folder / "nothing")
    return Comparison(ours.name, run(ours), run(limit), "documents")


def run(command):
    return Side(command.name, command.title, command.about,
                lambda bench: bench.command(command))
