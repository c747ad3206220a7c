"""Compares a report with an earlier one; `bench.py compare`."""
import argparse
import json
import sys
from html import escape
from pathlib import Path
from typing import NamedTuple

import charts
import report
import words
from tables import table

FASTER, SAME, SLOWER, WORSE = "faster", "same within the spread", "slower", "slower, too much"


class Compared(NamedTuple):
    title: str
    unit: str
    before: float
    after: float
    # The speedup; more is better.
    speed: float
    # Ratios of other costs, after to before, by name; less is better. They are not judged.
    costs: dict
    verdict: str


def main(words_):
    options = arguments(words_)
    before, after = (json.loads(path.read_text()) for path in (options.before, options.after))
    found = compared(before, after, options.tolerance)
    if not found:
        sys.exit("bench.py: the two reports have nothing in common")
    print(text(found) + "\n".join(notes(before, after)))
    if options.html:
        options.html.parent.mkdir(parents=True, exist_ok=True)
        options.html.write_text(page(before, after, found, options.tolerance))
        print(f"{options.html} has it as a page")
    return 1 if any(each.verdict == WORSE for each in found) else 0


def arguments(words_):
    parser = argparse.ArgumentParser(
        prog="bench.py compare", description="Compares two reports: what became faster, and what "
        "slower. What lies within the spread of the rounds of either is the same. The exit code "
        "is 1 if something is slower by more than the tolerance.")
    parser.add_argument("before", type=path, help="a report.json")
    parser.add_argument("after", type=path, help="another one")
    parser.add_argument("--tolerance", type=float, default=0.1, metavar="SHARE",
                        help="how much slower something may be (0.1, a tenth)")
    parser.add_argument("--html", type=Path, metavar="FILE", help="write it as a page, too")
    return parser.parse_args(words_)


def path(text_):
    found = Path(text_)
    if not found.is_file():
        raise argparse.ArgumentTypeError(f"'{text_}' is not there")
    return found


def compared(before, after, tolerance):
    olds = {key(entry): entry for entry in entries(before)}
    return [pair(olds[key(entry)], entry, tolerance) for entry in entries(after)
            if key(entry) in olds and have_sizes_in_common(olds[key(entry)], entry)]


def have_sizes_in_common(old, new):
    return "axis" not in new or not set(old["sizes"]).isdisjoint(new["sizes"])


def entries(whole):
    if "peers" in whole:
        sys.exit("a report of '--peers' is a comparison itself: look at its ratios")
    return [entry for kind in ("workloads", "growth", "limits") for entry in whole.get(kind, [])]


def key(entry):
    """Entries of different sizes have different titles."""
    return entry["name"], entry["title"], entry.get("axis")


def pair(old, new, tolerance):
    before, after, unit, is_cost = speeds(old, new)
    speed = before["median"] / after["median"] if is_cost else after["median"] / before["median"]
    return Compared(title(old, new), unit, before["median"], after["median"], speed,
                    costs(old, new), verdict(before, after, speed, tolerance))


def title(old, new):
    if "axis" not in new:
        return new["title"]
    return f"{new['title']}, {largest(old, new):,} {new['axis']}"


def largest(old, new):
    """The largest size that both reports contain."""
    return max(set(old["sizes"]) & set(new["sizes"]))


def speeds(old, new):
    """The two figures, their unit, and whether less is better."""
    if "axis" in new:
        one, other = (entry["cost"][entry["sizes"].index(largest(old, new))]
                      for entry in (old, new))
        return one, other, "ms", True
    if new["kind"] == "command":
        return old["wall"], new["wall"], "ms", True
    if new["kind"] == "limit":
        is_cost = new["by"] == "cost"
        unit = "times its limit" if is_cost else "of its limit"
        return old[new["by"]], new[new["by"]], unit, is_cost
    return (*(scaled(entry) for entry in (old, new)), f"{new['unit']} a second", False)


def scaled(entry):
    found = entry["throughput"]
    return {"rounds": found["rounds"],
            **{name: found[name] * entry["units"] for name in ("median", "least", "most")}}


def verdict(before, after, speed, tolerance):
    overlap = before["least"] <= after["most"] and after["least"] <= before["most"]
    # Single rounds have no spread, so a difference within the tolerance may be noise.
    is_single = min(len(found["rounds"]) for found in (before, after)) < 2
    if overlap or (is_single and 1 - tolerance <= speed <= 1 + tolerance):
        return SAME
    if speed >= 1:
        return FASTER
    return WORSE if speed < 1 - tolerance else SLOWER


def costs(old, new):
    if "axis" in new or new["kind"] == "limit":
        return {}
    found = {"processor": (old["processor"], new["processor"])}
    if "memory" in old and "memory" in new:
        found["memory"] = (old["memory"], new["memory"])
    for name in ("p50", "p99"):
        if name in old.get("latency", {}) and name in new.get("latency", {}):
            found[name] = (old["latency"][name], new["latency"][name])
    return {name: one["median"] and other["median"] / one["median"]
            for name, (one, other) in found.items()}


def notes(before, after):
    """The circumstances of both reports, with warnings."""
    found = []
    for name, whole in (("before", before), ("after", after)):
        machine = whole["machine"]
        found.append(f"{name}: {machine['date']}, waggle {machine['waggle']}, sources "
                     f"{machine['commit']}, {words.rounds(whole['settings'])}, {machine['cores']} "
                     f"× {machine['processor']}")
    if any(before["machine"][name] != after["machine"][name] for name in ("processor", "cores")):
        found.append("These are different machines: ratios tell nothing of the program.")
    if min(whole["settings"]["rounds"] for whole in (before, after)) < 3:
        found.append("Fewer than three rounds have next to no spread: what differs may be noise.")
    return found


COSTS = ["p50", "p99", "processor", "memory"]


def text(found):
    return table(
        ["", "before", "after", "times as fast", "verdict", *COSTS],
        [[each.title, f"{words.number(each.before)} {each.unit}", words.number(each.after),
          f"{each.speed:.2f}", each.verdict,
          *(f"{each.costs[name]:.2f}" if name in each.costs else "–" for name in COSTS)]
         for each in found]) + "\n"


def page(before, after, found, tolerance):
    kinds = {FASTER: "good", SAME: "quiet", SLOWER: "", WORSE: "bad"}
    rows = "".join(
        f"<tr><td>{escape(each.title)}</td><td>{words.number(each.before)}</td>"
        f"<td>{words.number(each.after)} <small>{escape(each.unit)}</small></td>"
        f"<td>{charts.ratio_bar(each.speed, kinds[each.verdict])}</td>"
        f"<td><strong>{each.speed:.2f}</strong></td>"
        f'<td class="{kinds[each.verdict]}">{each.verdict}</td>'
        + "".join(f"<td>{cost(each, name)}</td>" for name in COSTS) + "</tr>\n" for each in found)
    facts = "".join(f'<p class="facts">{escape(note)}</p>\n' for note in notes(before, after))
    return report.document("Waggle, compared", (
        f"<h1>Before and after</h1>\n{facts}"
        '<div class="scroll"><table>\n<tr><th>what is done</th><th>before</th><th>after</th>'
        "<th>slower · faster</th><th>times<br>as fast</th><th>verdict</th>"
        "<th>latency<br>p50</th><th>latency<br>p99</th>"
        f"<th>processor<br>each</th><th>peak<br>memory</th></tr>\n{rows}</table></div>\n"
        '<p class="quiet">What lies within the spread of the rounds of either report is the same. '
        f"Slower by more than {100 * tolerance:.0f} % is too much. The last four columns are after "
        "by before, less is better; they are not judged.</p>\n"))


def cost(each, name):
    return f"{each.costs[name]:.2f}" if name in each.costs else "–"
