"""A report as text, with tables that are valid Markdown."""
import words


def text(whole):
    if "growth" in whole:
        return "\n".join(growth(whole["growth"], axis) for axis in ("records", "fields"))
    if "limits" in whole:
        return limits(whole["limits"], whole["settings"])
    if "peers" in whole:
        # Imported here, because it imports `table` from this module.
        import peers_report
        return peers_report.text(whole["peers"])
    entries = whole["workloads"]
    return served([entry for entry in entries if entry["kind"] == "served"], whole["settings"]) \
        + commands([entry for entry in entries if entry["kind"] == "command"])


def table(head, rows):
    cells = [head, ["---"] + ["---:"] * (len(head) - 1), *rows]
    return "".join(f"| {' | '.join(row)} |\n" for row in cells)


def served(entries, settings):
    if not entries:
        return ""
    return table(
        [words.rounds(settings), "a second", "least", "most", "p50", "p99", "processor each",
         "peak memory"],
        [[entry["title"],
          f"{words.number(entry['throughput']['median'] * entry['units'])} {entry['unit']}",
          words.number(entry["throughput"]["least"] * entry["units"]),
          words.number(entry["throughput"]["most"] * entry["units"]),
          latency(entry, "p50"), latency(entry, "p99"),
          words.duration(entry["processor"]["median"]),
          f"{words.number(entry['memory']['median'])} MB"] for entry in entries]) + "\n"


def latency(entry, name):
    found = entry["latency"].get(name)
    return words.duration(found["median"]) if found else "–"


def commands(entries):
    if not entries:
        return ""
    return table(
        ["a process", "wall", "least", "most", "processor"],
        [[entry["title"], words.duration(entry["wall"]["median"]),
          words.duration(entry["wall"]["least"]), words.duration(entry["wall"]["most"]),
          words.duration(entry["processor"]["median"])] for entry in entries]) + "\n"


def growth(entries, axis):
    chosen = [found for found in entries if found["axis"] == axis]
    return table(
        ["one client", *(words.sized(f"{size:,}", axis) for size in chosen[0]["sizes"]),
         "times as long", "times the processor"],
        [[found["title"], *(words.duration(cost["least"]) for cost in found["cost"]),
          f"{found['growth']:.2f}", f"{found['processorGrowth']:.2f}"] for found in chosen])


def limits(entries, settings):
    return table(
        [words.rounds(settings), "a second", "its limit", "share", "least", "most",
         "processor each", "its limit", "times as much", "goal"],
        [[found["title"],
          f"{words.number(found['ours']['throughput']['median'])} {found['unit']}",
          words.number(found["limit"]["throughput"]["median"]),
          *(words.share(found["share"][name]) for name in ("median", "least", "most")),
          words.duration(found["ours"]["processor"]["median"]),
          words.duration(found["limit"]["processor"]["median"]),
          f"{found['cost']['median']:.2f}", words.goal_of_limit(found)] for found in entries])
