"""Installs missing servers for comparison into a folder of the build, so that the system gets no
service. Missing compilers are installed in the system."""
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import load
from sync import tell

FOLDER = load.PROGRAM.parent / "installed"
KINTO = "26.5.0"
KINTO_PACKAGES = [f"kinto[postgresql]=={KINTO}", "uwsgi==2.0.31"]
ETCD_PACKAGE = "etcd-server"


def kinto():
    """The folder of a Python environment that has Kinto and uWSGI."""
    folder, wanted = FOLDER / "kinto", "\n".join(KINTO_PACKAGES)
    # Written last, so that an interrupted installation is repeated.
    mark = folder / "installed"
    if mark.exists() and mark.read_text() == wanted:
        return folder
    compiler()
    shutil.rmtree(folder, ignore_errors=True)
    tell("installing Kinto")
    run("a Python environment", sys.executable, "-m", "venv", folder)
    run("Kinto", folder / "bin" / "pip", "install", "--quiet", *KINTO_PACKAGES)
    mark.write_text(wanted)
    return folder


def compiler():
    """Installs the tools to compile uWSGI, which is distributed as sources."""
    headers = Path(sysconfig.get_path("include")) / "Python.h"
    found = subprocess.run([sys.executable, "-c", "import ensurepip"], capture_output=True)
    missing = {"gcc": not shutil.which("gcc"), "python3-dev": not headers.exists(),
               "python3-venv": found.returncode != 0}
    packages = [name for name, is_missing in missing.items() if is_missing]
    if not packages:
        return
    if not shutil.which("apt-get"):
        sys.exit(f"bench.py: Kinto needs {', '.join(packages)} (names of Debian's packages): "
                 "install them with the package manager of this system")
    tell(f"installing {' '.join(packages)}")
    as_root("apt-get", "update", "-qq")
    as_root("apt-get", "install", "-qq", "-y", "--no-install-recommends", *packages)


def etcd():
    """The path of the program: the system's, or that of the unpacked package of Debian."""
    found = shutil.which("etcd")
    if found:
        return Path(found)
    program = FOLDER / "etcd" / "usr" / "bin" / "etcd"
    if program.exists():
        return program
    if not shutil.which("apt-get"):
        sys.exit("bench.py: 'etcd' is not in the path: install it, or choose '--peers kinto'")
    tell("getting etcd")
    packages = FOLDER / "packages"
    shutil.rmtree(packages, ignore_errors=True)
    packages.mkdir(parents=True)
    if not is_downloaded(packages):
        as_root("apt-get", "update", "-qq")
        run(f"the package {ETCD_PACKAGE}", "apt-get", "download", "-qq", ETCD_PACKAGE, cwd=packages)
    package, = packages.glob("*.deb")
    # Renamed last, so that an interrupted installation is repeated.
    unpacked = FOLDER / "etcd-unpacked"
    shutil.rmtree(unpacked, ignore_errors=True)
    run("etcd", "dpkg-deb", "--extract", package, unpacked)
    unpacked.rename(FOLDER / "etcd")
    return program


def is_downloaded(folder):
    done = subprocess.run(["apt-get", "download", "-qq", ETCD_PACKAGE], cwd=folder,
                          capture_output=True)
    return done.returncode == 0


def as_root(*words):
    prefix = [] if os.geteuid() == 0 else ["sudo"]
    run("a system package", *prefix, "env", "DEBIAN_FRONTEND=noninteractive", *words)


def run(what, *words, cwd=None):
    try:
        done = subprocess.run(list(map(str, words)), cwd=cwd, capture_output=True, text=True)
    except OSError as error:
        sys.exit(f"bench.py: {what} cannot be installed: {error}")
    if done.returncode:
        command = " ".join(map(str, words))
        sys.exit(f"bench.py: {what} cannot be installed, '{command}' says:\n"
                 f"{(done.stderr or done.stdout).strip()[-2000:]}")
