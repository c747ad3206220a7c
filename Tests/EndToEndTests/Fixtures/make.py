#!/usr/bin/env python3
"""Makes databases in the format of this version, for the tests of later ones: see README.md.

    make.py VERSION [--waggle PATH] [--device COMMAND]

The folder VERSION has the definitions, and gets `sqlite` and `postgres`.
"""
import argparse
import json
import os
import re
import shlex
import shutil
import subprocess
import tempfile
from pathlib import Path
from urllib.parse import quote

import story
from server import Server
from story import guid, password

HERE = Path(__file__).resolve().parent
TOP = HERE.parents[2]
DEVICE = "swift test --skip-build --filter EarlierDeviceMaker"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("version", help="the folder")
    parser.add_argument("--waggle", default=TOP / ".build/debug/waggle", help="the tool")
    parser.add_argument("--device", default=DEVICE, help="makes the database of a device")
    options = parser.parse_args()
    folder = HERE / options.version
    with tempfile.TemporaryDirectory() as work:
        maker = Maker(options, folder, Path(work))
        maker.make_sqlite(folder / "sqlite")
        maker.make_postgres(folder / "postgres")


class Maker:
    def __init__(self, options, folder, work):
        self.waggle, self.device = str(options.waggle), shlex.split(options.device)
        self.work = work
        self.definitions = [shutil.copy(folder / name, work)
                            for name in ("first.xml", "application.xml")]

    def make_sqlite(self, folder):
        fresh(folder)
        database = folder / "server.sqlite"
        self.make(str(database), folder)
        vacuum(database)
        for rest in (f"{database}-wal", f"{database}-shm"):
            Path(rest).unlink(missing_ok=True)
        shutil.rmtree(f"{database}.transfers", ignore_errors=True)

    def make_postgres(self, folder):
        fresh(folder)
        place = self.work / "pg"
        with subprocess.Popen(
                ["sh", TOP / "Tests/PostgresKit/supervise.sh", place], text=True,
                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as postgres:
            os.chmod(self.work, 0o755)
            if postgres.stdout.readline() != "ready\n":
                raise SystemExit("PostgreSQL does not start")
            try:
                server = f"postgres://waggle@/postgres?host={place}"
                subprocess.run(["psql", "-qc", "CREATE DATABASE made", server], check=True)
                address = server.replace("/postgres?", "/made?")
                self.make(address, folder)
                dump = subprocess.run(
                    ["pg_dump", "--no-owner", "--no-privileges", "--schema=waggle", address],
                    check=True, capture_output=True, text=True).stdout
                (folder / "server.sql").write_text(compact(dump))
            finally:
                postgres.terminate()

    def run(self, *arguments, database, text=None):
        subprocess.run([self.waggle, *arguments, "--database", database], check=True, input=text,
                       text=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def deploy_all_the_same(self, definition, database):
        """Accepts by name whatever the definition breaks."""
        command = [self.waggle, "deploy", definition, "--database", database]
        refused = subprocess.run(command, capture_output=True, text=True).stderr
        names = re.findall(r"--accept '([^']+)'", refused)
        accepted = [part for name in names for part in ("--accept", name)]
        subprocess.run(command + accepted, check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    def add_users(self, database, people, environment):
        for login, (group, _) in people.items():
            self.run("user", "add", login, "--group", group, "--password-stdin", "--environment",
                     environment, *(["--admin"] if login == "dora" else []), database=database,
                     text=password(login) + "\n")

    def make(self, database, folder):
        first, second = self.definitions
        self.run("deploy", first, database=database)
        self.add_users(database, story.PEOPLE, "test")
        other = self.other_environment(database)
        cursors = {}
        with Server(self.waggle, database, first) as server:
            people = story.sign_in(server)
            story.before_the_sweep(people, cursors)
        self.run("sweep", "--keep-deleted-days", "0", database=database)
        with Server(self.waggle, database, first) as server:
            attach(people, server)
            questions = self.first_version(server, people, cursors)
        self.deploy_all_the_same(second, database)
        with Server(self.waggle, database, second) as server:
            attach(people, server)
            rule = story.after_the_second_version(people)
            live, notifications = story.told(people)
            self.make_device(server, folder)
            cursors["of the second version"] = people["bob"], people["bob"].pull(limit=5)["cursor"]
            bob = people["bob"]
            bob.push(bob.change("create", "flyer", guid(64), body="the last"))
            questions += [rule, *asked(people, cursors, notifications)]
            asks(server, questions)
        with Server(self.waggle, database, second) as server:
            for question in questions:
                again = server.ask(question)
                if again != question["answer"]:
                    raise SystemExit(f"another answer: {question} {again}")
        write(folder / "asked.json", {
            "test": questions, "production": other, "live": live,
            "sessions": {name: one.session["token"] for name, one in people.items()},
            "seen": people["ann"].seen})

    def first_version(self, server, people, cursors):
        """Uses both wires under the first definition, and returns requests to repeat."""
        story.first_records(people)
        story.files(people)
        story.conflicts(people)
        story.refusals(people)
        questions = story.original_apps(
            server, people["ann"].session["digest"], people["bob"])
        for name in ("ann", "bob", "eve", "dora", "otto"):
            one = people[name]
            cursors[f"amid the first version, {name}"] = one, one.pull(limit=7)["cursor"]
            cursors[f"of the first version, {name}"] = one, one.everything_seen()
        return questions

    def other_environment(self, database):
        """Fills another environment of the same database, which keeps the first definition."""
        people = {"ann": story.PEOPLE["ann"], "dora": story.PEOPLE["dora"]}
        self.run("deploy", self.definitions[0], "--environment", "production", database=database)
        self.add_users(database, people, "production")
        with Server(self.waggle, database, self.definitions[0], "production") as server:
            people = story.sign_in(server, people)
            ann, dora = people["ann"], people["dora"]
            ann.push(ann.change("create", "customer", guid(1), code="c1", name="In production"),
                     ann.change("create", "trial", guid(2), need="x", low=9))
            dora.push(dora.change("update", "customer", guid(1), 1, name="Dora's"))
            ann.push(ann.change("update", "leaflet", guid(1), 1, text="x"))
            questions = [ann.question("POST", "sync", body) for body in ann.pushed]
            questions += [one.question("POST", "sync", {"limit": 100}) for one in (ann, dora)]
            asks(server, questions)
        return questions

    def make_device(self, server, folder):
        subprocess.run(self.device, check=True, cwd=TOP, env={
            **os.environ, "WAGGLE_FIXTURE_SERVER": f"http://{server.address}",
            "WAGGLE_FIXTURE_FOLDER": str(folder / "device"),
            "WAGGLE_FIXTURE_DEFINITION": str(self.definitions[1])})
        for database in (folder / "device").glob("*.sqlite"):
            vacuum(database)


def attach(people, server):
    for one in people.values():
        one.server = server


def asked(people, cursors, notifications):
    """The requests that tests repeat; none of them changes anything."""
    ann, bob, dora = people["ann"], people["bob"], people["dora"]
    questions = [one.question("POST", "sync", body)
                 for name, one in people.items() if name != "sam" for body in one.pushed]
    questions += [one.question("POST", "sync", {"cursor": cursor, "limit": 1000})
                  for one, cursor in cursors.values()]
    ann.seen = cursors["of the first version, ann"][1]
    for name in ("ann", "bob", "eve", "dora", "otto"):
        one = people[name]
        questions += [one.question("GET", "conflicts"),
                      one.question("POST", "sync", {"limit": 1000})]
    questions += [one.question("GET", f"records/{model}/{guid(number)}/history")
                  for one in (ann, dora) for model, number in HISTORIES]
    questions += [dora.question("GET", path) for path in ("users", "pushTokens")]
    questions += [dora.question("POST", "notifications", body) for body in notifications]
    questions += [ann.question("GET", f"files/{guid(number)}{path}")
                  for number in range(201, 206) for path in ("", "/upload")]
    finding = "records/customer?sort=code&limit=4"
    page = bob.call("GET", finding)
    questions += [bob.question("GET", finding),
                  bob.question("GET", f"{finding}&cursor={page['cursor']}"),
                  bob.question("GET", "records/visit?count=true&filter="
                               + quote('{"ge": ["minutes", 15]}')),
                  bob.question("GET", f"records/customer/{guid(3)}?fields=phone,margin")]
    return questions


HISTORIES = [("customer", n) for n in (1, 2, 3, 4, 5, 8, 9)] + [
    ("visit", 21), ("price", 31), ("stamp", 41), ("flyer", 61), ("flyer", 62), ("flyer", 301)]


def asks(server, questions):
    for question in questions:
        question["answer"] = server.ask(question)


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)


def vacuum(database):
    subprocess.run(["sqlite3", database, "PRAGMA wal_checkpoint(TRUNCATE); VACUUM;"
                    "PRAGMA wal_checkpoint(TRUNCATE);"],
                   check=True, stdout=subprocess.DEVNULL)


def compact(dump):
    """Removes comments, and commands that some versions of PostgreSQL do not accept."""
    lines = [line for line in dump.split("\n") if not re.match(
        r"--|SET (transaction_timeout|default_table_access_method)|\\(un)?restrict", line)]
    return re.sub("\n{2,}", "\n", "\n".join(lines)).lstrip()


def write(path, contents):
    """Writes each element of a list on a separate line."""
    parts = []
    for name, value in contents.items():
        if isinstance(value, list):
            value = "[\n" + ",\n".join(json.dumps(one, sort_keys=True) for one in value) + "\n]"
        else:
            value = json.dumps(value, sort_keys=True)
        parts.append(f"{json.dumps(name)}: {value}")
    path.write_text("{\n" + ",\n".join(parts) + "\n}\n")


if __name__ == "__main__":
    main()
