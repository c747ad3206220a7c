#!/usr/bin/env python3
"""Follows the tutorial from an empty folder: writes its files, runs its commands in their order,
and compares what they print.

A block after a line with nothing but a name in code and a colon is a file. A block of `sh` is run;
a block without a language after it is what it prints. The server listens on a free port instead of
8080, and the dependency on Waggle is this checkout.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGE = TOP / "Sources/Waggle/Documentation.docc/Tutorial.md"
TIMEOUT_SECONDS = 1200


def blocks(text):
    """The kind ("file", "sh" or "output"), the path of a file, and the text of each block."""
    kind = "none"
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        language, content = match.groups()
        before = text[: match.start()].rstrip("\n").rsplit("\n", 1)[-1]
        name = re.fullmatch(r"`([^`]+)`:", before)
        if name:
            kind = "file"
        elif language == "sh":
            kind = "sh"
        elif language == "" and kind == "sh":
            kind = "output"
        else:
            continue
        yield kind, name and name.group(1), content


class Tutorial:
    """A reader who copies each block."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder)
        self.options = options
        self.server = None
        self.address = None
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("WAGGLE_")
        }
        tools = str(pathlib.Path(options.waggle).resolve().parent)
        self.environment["PATH"] = f"{tools}:{self.environment['PATH']}"

    def write(self, path, text):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace("/path/to/waggle", str(TOP)))

    def run(self, commands):
        """Returns what they print. The next commands are run in the folder that they end in."""
        if commands.startswith("waggle serve"):
            return self.serve(commands)
        commands = commands.strip()
        if commands == "swift build":
            self.prepare_build()
            if self.options.app:
                return ""
            if self.options.build:
                # The compiler's cache of modules knows the folder by its real path only.
                commands += f" --scratch-path {(self.folder / '.build').resolve()}"
        if self.address:
            commands = commands.replace("127.0.0.1:8080", self.address)
        script = f"{commands}\npwd >&3"
        with tempfile.TemporaryFile("w+") as place:
            finished = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script.replace(">&3", f">&{place.fileno()}")],
                cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                pass_fds=[place.fileno()], timeout=TIMEOUT_SECONDS, stdin=subprocess.DEVNULL)
            if finished.returncode != 0:
                sys.exit(f"tutorial: exit code {finished.returncode} of:\n{commands}"
                         f"{finished.stdout}")
            place.seek(0)
            self.folder = pathlib.Path(place.read().strip())
        return finished.stdout

    def serve(self, command):
        self.server = subprocess.Popen(
            command.replace("--port 8080", "--port 0").split(), cwd=self.folder, text=True,
            env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        banner = self.server.stdout.readline()
        if not banner.startswith("listening on http://"):
            sys.exit(f"tutorial: the server says '{banner}'")
        self.address = banner.split("//")[1].strip()
        return banner

    def prepare_build(self):
        """Links what is built elsewhere: all of a build, or the app."""
        if self.options.build:
            (self.folder / ".build").symlink_to(pathlib.Path(self.options.build).resolve())
            resolved = TOP / "Tests/OutsidePackage/Package.resolved"
            (self.folder / "Package.resolved").write_text(resolved.read_text())
        if self.options.app:
            programs = self.folder / ".build/debug"
            programs.mkdir(parents=True)
            app = pathlib.Path(self.options.app).resolve()
            (programs / app.name).symlink_to(app)

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


def follow(tutorial, text):
    printed, counts = "", {"file": 0, "sh": 0, "output": 0}
    for kind, path, content in blocks(text):
        counts[kind] += 1
        if kind == "file":
            tutorial.write(path, content)
        elif kind == "sh":
            printed = tutorial.run(content)
        elif printed != content:
            sys.exit(f"tutorial: the page says\n{content}and this was printed:\n{printed}")
    if min(counts.values()) < 3:
        sys.exit(f"tutorial: the page has too few blocks: {counts}")
    print("tutorial: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--waggle", default=TOP / ".build/debug/waggle", help="the tool")
    parser.add_argument("--app", help="the app, built already; its build is left out")
    parser.add_argument("--build", help="a folder that becomes '.build' of the package")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        tutorial = Tutorial(folder, options)
        try:
            follow(tutorial, PAGE.read_text())
        finally:
            tutorial.stop()


if __name__ == "__main__":
    main()
