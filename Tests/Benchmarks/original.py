#!/usr/bin/env python3
"""Measures `waggle serve` with original Mobeelizer clients: the time and the server's memory for
uploads and downloads of archives of increasing size; `make bench-original`.

Each archive has a server process of its own. Memory is the most that it had resident. The exit
code is 1 when a goal is missed.
"""
import argparse
import io
import json
import shutil
import sys
import tempfile
import time
import urllib.request
import uuid
import zipfile
from pathlib import Path
from typing import NamedTuple

from served import DISPATCHER, Server, Site

RECORDS = [1_000, 10_000, 50_000]
MOST_GROWTH = 1.25
BOUNDARY = "---------------------------14737809831466499882746641449"
CONTENT_TYPE = f"multipart/form-data; boundary={BOUNDARY}"


def main():
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        costs = [cost for records in RECORDS
                 for cost in sync(Site(options.waggle, Path(folder) / str(records)), records)]
    print("| an archive of | archive | wall | records a second | peak memory |"
          "\n|---|---:|---:|---:|---:|")
    for cost in costs:
        print(f"| {cost.records:,} records {cost.way} | {cost.bytes / 1e6:.1f} MB "
              f"| {cost.seconds:.1f} s | {cost.records / cost.seconds:,.0f} "
              f"| {cost.peak_mb:.0f} MB |")
    print()
    goals = [goal(costs, way) for way in ("up", "down")]
    for text, holds in goals:
        print(f"{'holds' if holds else 'MISSED'}: {text}")
    sys.exit(0 if all(holds for _, holds in goals) else 1)


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split(":")[0])
    parser.add_argument("--waggle", default=".build/release/waggle", help="a release build")
    options = parser.parse_args()
    if not shutil.which(options.waggle):
        parser.error(f"'{options.waggle}' is not there: run 'make bench-original'")
    return options


class Cost(NamedTuple):
    records: int
    way: str
    bytes: int
    seconds: float
    peak_mb: float


def sync(site, records):
    sent = archive(records)
    with Server(site) as server:
        before = time.perf_counter()
        ticket = ask(server, "POST", "synchronize", multipart(sent), {
            "content-type": CONTENT_TYPE}).decode()
        status = json.loads(ask(server, "GET", f"checkStatus?ticket={ticket}"))
        seconds = time.perf_counter() - before
        if status["status"] != "FINISHED":
            sys.exit(f"{records} records were not taken in: {status}")
    yield Cost(records, "up", len(sent), seconds, server.peak_mb)
    with Server(site) as server:
        before = time.perf_counter()
        ticket = ask(server, "POST", "synchronizeAll", b"").decode()
        got = ask(server, "GET", f"data?ticket={ticket}")
        ask(server, "POST", f"confirm?ticket={ticket}", b"")
        seconds = time.perf_counter() - before
    with zipfile.ZipFile(io.BytesIO(got)) as answer:
        count = answer.read("data").count(b"\n")
    if count != records:
        sys.exit(f"{count} of {records} records came back")
    yield Cost(records, "down", len(got), seconds, server.peak_mb)


def goal(costs, way):
    few, more = (next(cost.peak_mb for cost in costs if (cost.records, cost.way) == (records, way))
                 for records in RECORDS[:2])
    return (f"{RECORDS[1]:,} records {way} take {more / few:.2f} times the memory of "
            f"{RECORDS[0]:,}, at most {MOST_GROWTH}", more / few <= MOST_GROWTH)


def customer(number):
    return "customer", {
        "name": f"Customer number {number}", "phone": f"+49 30 {number:09}",
        "email": f"customer.{number}@example.org", "active": "true",
        "customerSince": str(1_700_000_000_000 + number), "creditLimit": "1250.50",
        "internalNotes": "Rings twice, and wants to be called the day before."}


def archive(records, new=customer):
    """An archive of new records; `new` returns the model and the fields for a number."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as sent:
        sent.writestr("data", "".join(line(*new(number)) + "\n" for number in range(records)))
        sent.writestr("deletedFiles", "")
    return file.getvalue()


def line(model, fields):
    return json.dumps({
        "model": model, "guid": str(uuid.uuid4()), "owner": None, "group": None,
        "conflictState": "NO_IN_CONFLICT", "resolveConflict": False,
        "fields": {**fields, "s_deleted": "false"}})


def multipart(sent):
    return (f"\r\n--{BOUNDARY}\r\ncontent-disposition: form-data; name=\"file\"; "
            f"filename=\"file\"\r\ncontent-type: application/octet-stream\r\n\r\n").encode() \
        + sent + f"\r\n--{BOUNDARY}--\r\n".encode()


def identity(server, user=DISPATCHER, application="fieldService"):
    """The headers that identify the client."""
    with urllib.request.urlopen(f"{server.address}/v1/test/health") as health:
        digest = json.load(health)["digest"]
    return {
        "mas-vendor-name": "waggle", "mas-application-name": application,
        "mas-application-instance-name": "test", "mas-definition-digest": digest,
        "mas-device-name": user.device, "mas-device-identifier": "measured",
        "mas-user-name": user.login, "mas-user-password": "a password"}


def ask(server, method, path, body=None, headers=None):
    request = urllib.request.Request(
        f"{server.address}/sync/v2/{path}", body, method=method,
        headers={**identity(server), **(headers or {})})
    with urllib.request.urlopen(request) as answer:
        return answer.read()


if __name__ == "__main__":
    main()
