#!/usr/bin/env python3
"""Follows the tutorial from an empty folder: writes its files, runs its commands in their order,
and compares what they print. With --start it follows the page *Start here* instead, and then the
README.md of the package that this page makes.

A block after a line with nothing but a name in code and a colon is a file. A block of `sh` is run;
a block without a language after it is what it prints, or what is typed into the app that it starts.
The server listens on a free port instead of 8080, the dependency on Waggle is this checkout, and
passwords come from a pipe or from the environment, since nobody is there to type them.
"""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGES = TOP / "Sources/Waggle/Documentation.docc"
TIMEOUT_SECONDS = 1200

# Builds in a folder that has what all packages need, which the compiler's cache of modules knows by
# its real path only, with the options of `run.sh`: others compile everything again.
SHARED_BUILD = """#!/bin/sh
set -e
[ -e .build ] || ln -s '{build}' .build
[ -e Package.resolved ] || cp '{resolved}' Package.resolved
# SwiftPM plans anew when its environment differs, so only the app gets what is meant for it.
swift_package() {{
    verb=$1
    shift
    env -u WAGGLE_FOLDER -u WAGGLE_LOGIN -u WAGGLE_PASSWORD -u WAGGLE_SERVER \\
        '{swift}' "$verb" --scratch-path '{build}' -debug-info-format none "$@"
}}
if [ "$1" != run ]; then
    swift_package "$@"
else
    app=$2
    shift 2
    swift_package build --product "$app" </dev/null
    exec '{build}'/debug/"$app" "$@"
fi
"""
# Builds nothing: the app is there.
NO_BUILD = """#!/bin/sh
mkdir -p .build/debug
ln -sf '{app}' .build/debug
[ "$1" = run ] || exit 0
shift 2
exec '{app}' "$@"
"""


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


class Reader:
    """Somebody who copies each block."""

    def __init__(self, folder, options):
        self.folder = pathlib.Path(folder) / "work"
        self.folder.mkdir()
        self.server = None
        self.address = None
        self.tools = pathlib.Path(options.waggle).resolve().parent
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("WAGGLE_")
        }
        programs = pathlib.Path(folder) / "programs"
        programs.mkdir()
        if options.app or options.build:
            text = NO_BUILD.format(app=pathlib.Path(options.app).resolve()) if options.app else \
                SHARED_BUILD.format(
                    build=pathlib.Path(options.build).resolve(), swift=shutil.which("swift"),
                    resolved=TOP / "Tests/OutsidePackage/Package.resolved")
            (programs / "swift").write_text(text)
            (programs / "swift").chmod(0o755)
        self.environment["PATH"] = f"{programs}:{self.environment['PATH']}"

    def find_tools(self):
        self.environment["PATH"] = f"{self.tools}:{self.environment['PATH']}"

    def write(self, path, text):
        place = self.folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text.replace("/path/to/waggle", str(TOP)))

    def run(self, commands, typed=""):
        """Returns what they print. The next commands are run in the folder that they end in."""
        rest, serve, command = commands.strip().rpartition("waggle serve")
        if serve:
            self.run(rest)
            return self.serve(serve + command)
        for place in ["/path/to/waggle", "$PWD"]:
            commands = commands.replace(f"{place}/.build/debug", str(self.tools))
        commands = re.sub(
            r"^waggle user add (\w+) (?!.*--password-stdin).*", r"echo 'secret of \1' | \g<0> "
            "--password-stdin", commands, flags=re.MULTILINE)
        if self.address:
            commands = commands.replace("127.0.0.1:8080", self.address)
        script = f"{commands}\n(pwd; echo \"$PATH\") >&3"
        with tempfile.TemporaryFile("w+") as place:
            finished = subprocess.run(
                ["bash", "-euo", "pipefail", "-c", script.replace(">&3", f">&{place.fileno()}")],
                cwd=self.folder, env=self.environment, text=True, stdout=subprocess.PIPE,
                pass_fds=[place.fileno()], timeout=TIMEOUT_SECONDS, input=typed)
            if finished.returncode != 0:
                sys.exit(f"tutorial: exit code {finished.returncode} of:\n{commands}"
                         f"{finished.stdout}")
            place.seek(0)
            folder, path = place.read().splitlines()
            self.folder = pathlib.Path(folder)
            self.environment["PATH"] = path
        return finished.stdout

    def serve(self, command):
        command = command.replace("--port 8080", "").split() + ["--port", "0"]
        program = shutil.which(command[0], path=self.environment["PATH"])
        self.server = subprocess.Popen(
            [program] + command[1:], cwd=self.folder, text=True, env=self.environment,
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        banner = self.server.stdout.readline()
        if not banner.startswith("listening on http://"):
            sys.exit(f"tutorial: the server says '{banner}'")
        self.address = banner.split("//")[1].strip()
        return banner

    def use_app(self, commands, typed):
        """Runs commands that ask for login and password."""
        login = "ben" if "of-ben" in commands else "anna"
        before = dict(self.environment)
        self.environment.update(
            WAGGLE_SERVER=f"http://{self.address}", WAGGLE_LOGIN=login,
            WAGGLE_PASSWORD=f"secret of {login}")
        printed = self.run(commands, typed)
        self.environment = before
        if re.search("^! ", printed, re.MULTILINE):
            sys.exit(f"tutorial: the app says of\n{commands}{typed}\n{printed}")
        return printed

    def stop(self):
        if self.server:
            self.server.terminate()
            self.server.wait()


def follow_tutorial(reader):
    reader.find_tools()
    printed, counts = "", {"file": 0, "sh": 0, "output": 0}
    for kind, path, content in blocks((PAGES / "Tutorial.md").read_text()):
        counts[kind] += 1
        if kind == "file":
            reader.write(path, content)
        elif kind == "sh":
            printed = reader.run(content)
        elif printed != content:
            sys.exit(f"tutorial: the page says\n{content}and this was printed:\n{printed}")
    if min(counts.values()) < 3:
        sys.exit(f"tutorial: the page has too few blocks: {counts}")
    print("tutorial: " + ", ".join(f"{count} {kind}" for kind, count in counts.items()))


def follow_start(reader):
    # Its commands are run in a checkout, of which they need the definitions.
    (reader.folder / "checkout").mkdir()
    reader.folder /= "checkout"
    (reader.folder / "Definitions").symlink_to(TOP / "Definitions")
    for kind, _, content in blocks((PAGES / "StartHere.md").read_text()):
        if kind == "sh":
            reader.run(content)
    if not (reader.folder / "Package.swift").exists():
        sys.exit("tutorial: no package was made")
    printed, count = "", 0
    steps = list(blocks((reader.folder / "README.md").read_text()))
    for (kind, _, content), following in zip(steps, steps[1:] + [("end", None, "")]):
        if kind != "sh":
            continue
        count += 1
        if reader.address:
            typed = following[2] if following[0] == "output" else (
                "secret of anna\n" if "read -rs" in content else "sync\nquit\n")
            printed += reader.use_app(content, typed)
        else:
            reader.run(content)
    if count < 5 or "1 sent, 1 received" not in printed or "0 sent, " not in printed:
        sys.exit(f"tutorial: after {count} blocks, the apps had said:\n{printed}")
    print(f"tutorial: a package was made, and {count} blocks of its README.md were followed")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--waggle", default=TOP / ".build/debug/waggle", help="the tool")
    parser.add_argument("--app", help="the app, built already; its build is left out")
    parser.add_argument("--build", help="a folder that becomes '.build' of the package")
    parser.add_argument("--start", action="store_true", help="follow 'Start here' instead")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        reader = Reader(folder, options)
        try:
            (follow_start if options.start else follow_tutorial)(reader)
        finally:
            reader.stop()


if __name__ == "__main__":
    main()
