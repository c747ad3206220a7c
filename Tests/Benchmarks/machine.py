"""The machine, the system and the versions of a measurement."""
import datetime
import os
import platform
import re
import subprocess
from pathlib import Path


def facts(waggle):
    return {
        "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC"),
        "waggle": said(waggle, "--version"),
        "commit": commit(),
        "processor": processor(),
        "cores": len(os.sched_getaffinity(0)),
        "memory": memory(),
        "system": f"{distribution()}, Linux {platform.release()}",
        "busy": f"{os.getloadavg()[0]:.1f}",
    }


def said(*words):
    done = subprocess.run(words, capture_output=True, text=True, cwd=Path(__file__).parent)
    return done.stdout.strip() if done.returncode == 0 else ""


def commit():
    """The commit of these sources; the measured program may be from another one."""
    name = said("git", "rev-parse", "--short=12", "HEAD")
    is_changed = said("git", "status", "--porcelain", "--untracked-files=no")
    return f"{name} and changes" if is_changed else name


def processor():
    found = re.search(r"model name\s*:\s*(.*)", Path("/proc/cpuinfo").read_text())
    return found.group(1) if found else platform.machine()


def memory():
    found = re.search(r"MemTotal:\s*(\d+) kB", Path("/proc/meminfo").read_text())
    return f"{int(found.group(1)) * 1024 / 1e9:.0f} GB"


def distribution():
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        return platform.system()
