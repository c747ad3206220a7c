"""A server, and its clients over HTTP."""
import http.client
import io
import json
import subprocess
import zipfile

BOUNDARY = "---------------------------14737809831466499882746641449"
# Data is kept for a hundred years, because the databases are opened much later.
KEEPING = [word for name in ("deleted", "loose-file", "notification")
           for word in (f"--keep-{name}-days", "36500")]


class Server:
    """Runs `waggle serve` on a free port, and ends it like a supervisor."""

    def __init__(self, waggle, database, definition, environment="test"):
        self.environment = environment
        self.log = open(f"{definition}.log", "a")
        self.process = subprocess.Popen(
            [waggle, "serve", definition, "--database", database, "--environment", environment,
             "--port", "0", "--session-hours", "87600", "--max-open-conflicts", "3", *KEEPING],
            stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line.startswith("listening on "):
            raise SystemExit(f"no server: {line}, see {self.log.name}")
        self.address = line.split("//")[1].strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        if self.process.wait(60) != 0:
            raise SystemExit(f"the server ended with {self.process.returncode}")
        self.log.close()

    def connection(self):
        return http.client.HTTPConnection(self.address, timeout=60)

    def request(self, method, path, body=None, headers=()):
        """The status and the body of a response."""
        connection = self.connection()
        connection.request(method, path, body=body, headers=dict(headers))
        answer = connection.getresponse()
        status, body = answer.status, answer.read()
        connection.close()
        return status, body

    def ask(self, question):
        """Sends a stored request, and returns the response in the stored format."""
        headers = {"Content-Type": "application/json", **question.get("headers", {})}
        status, body = self.request(
            question["method"], question["path"], question.get("body"), headers)
        return {"status": status, **readable(body)}


def readable(body):
    if body.startswith(b"PK"):
        with zipfile.ZipFile(io.BytesIO(body)) as archive:
            lines = archive.read("data").decode().splitlines()
        return {"lines": [json.loads(line) for line in lines]}
    text = body.decode()
    try:
        return {"json": without_cursors(json.loads(text))}
    except ValueError:
        return {"text": text}


def without_cursors(answer):
    """Removes cursors, which always differ."""
    if isinstance(answer, dict):
        return {name: value for name, value in answer.items() if name != "cursor"}
    return answer


class Client:
    """A user who is signed in on a device, with the native wire."""

    def __init__(self, server, login, password, category, device):
        self.login, self.device = login, device
        self.environment = server.environment
        status, answer = server.request(
            "POST", f"/v1/{self.environment}/session", json.dumps({
                "login": login, "password": password, "deviceCategory": category,
                "deviceIdentifier": device}), {"Content-Type": "application/json"})
        if status != 201:
            raise SystemExit(f"{login} cannot sign in: {answer}")
        self.session = json.loads(answer)
        self.headers = {"Authorization": f"Bearer {self.session['token']}"}
        self.server = server
        # The pushes that can be repeated.
        self.pushed = []
        self.count = 0

    def call(self, method, path, body=None, headers=(), expected=(200, 201, 202, 204)):
        """The response, which must have one of the statuses."""
        if body is not None and not isinstance(body, (str, bytes)):
            body = json.dumps(body)
        status, answer = self.server.request(
            method, f"/v1/{self.environment}/{path}", body,
            {"Content-Type": "application/json", **self.headers, **dict(headers)})
        if status not in expected:
            raise SystemExit(f"{self.login}: {method} {path}: {status} {answer}")
        return json.loads(answer) if answer.startswith(b"{") else answer

    def question(self, method, path, body=None):
        question = {"method": method, "path": f"/v1/{self.environment}/{path}",
                    "headers": self.headers}
        return question if body is None else {**question, "body": json.dumps(body)}

    def change(self, action, model, guid, base=None, **fields):
        self.count += 1
        change = {"id": f"{self.device}-{self.count}", "action": action, "model": model,
                  "guid": guid}
        return {**change, **({} if base is None else {"base": base}),
                **({"fields": fields} if fields or action == "create" else {})}

    def push(self, *changes, expecting=None, cursor=None, **others):
        """Pushes, and checks the outcomes, each with its first cause."""
        body = {"changes": list(changes), "limit": 1, **others}
        answer = self.call("POST", "sync", {**body, **({"cursor": cursor} if cursor else {})})
        self.pushed.append(body)
        found = [" ".join([outcome["outcome"], *(
            cause["code"] for cause in outcome.get("causes", []))])
                 for outcome in answer["outcomes"]]
        if expecting is not None and found != expecting:
            raise SystemExit(f"{self.login}: {changes[-1]}: {found}, not {expecting}")
        return answer

    def pull(self, cursor=None, limit=1000):
        return self.call("POST", "sync", {
            "limit": limit, **({"cursor": cursor} if cursor else {})})

    def everything_seen(self):
        page = self.pull()
        while page["more"]:
            page = self.pull(page["cursor"])
        return page["cursor"]

    def event_id(self):
        """The current position of the live stream."""
        connection = self.server.connection()
        connection.request("GET", f"/v1/{self.environment}/live", headers=self.headers)
        answer = connection.getresponse()
        line = answer.readline().decode()
        while not line.startswith("id: "):
            line = answer.readline().decode()
        connection.close()
        return line[4:].strip()


class Original:
    """An original client."""

    def __init__(self, server, login, password, device, digest):
        self.server = server
        self.headers = {
            "mas-vendor-name": "acme", "mas-application-name": "service",
            "mas-application-instance-name": server.environment, "mas-definition-digest": digest,
            "mas-device-name": "mobile", "mas-device-identifier": device, "mas-user-name": login,
            "mas-user-password": password, "mas-sdk-version": "1.5.0"}

    def call(self, method, path, body=None, headers=()):
        status, answer = self.server.request(
            method, f"/sync/v2/{path}", body, {**self.headers, **dict(headers)})
        if status != 200:
            raise SystemExit(f"{path}: {status} {answer}")
        return answer

    def question(self, path):
        return {"method": "GET", "path": f"/sync/v2/{path}", "headers": self.headers}

    def send(self, *lines):
        """Sends records, and returns the ticket."""
        archive = io.BytesIO()
        with zipfile.ZipFile(archive, "w") as entries:
            entries.writestr("data", "".join(json.dumps(line) + "\n" for line in lines))
            entries.writestr("deletedFiles", "")
        body = (f'\r\n--{BOUNDARY}\r\ncontent-disposition: form-data; name="file"; '
                f'filename="file"\r\ncontent-type: application/octet-stream\r\n\r\n').encode()
        body += archive.getvalue() + f"\r\n--{BOUNDARY}--\r\n".encode()
        return self.call("POST", "synchronize", body, {
            "Content-Type": f"multipart/form-data; boundary={BOUNDARY}"}).decode()

    def synchronize(self, *lines):
        """A complete synchronization."""
        self.take(self.send(*lines))

    def begin(self):
        """Receives all data, as a new app does."""
        self.take(self.call("POST", "synchronizeAll", b"").decode())

    def take(self, ticket):
        self.call("GET", f"data?ticket={ticket}")
        self.call("POST", f"confirm?ticket={ticket}", b"")

    @staticmethod
    def line(model, guid, **fields):
        return {"model": model, "guid": guid, "owner": None, "group": None,
                "resolveConflict": False, "conflictState": "NO_IN_CONFLICT",
                "fields": {**fields, "s_deleted": "false"}}
