"""A report as a self-contained HTML page."""
from html import escape
from pathlib import Path

import charts
import peers_report
import words

LEAST_FOR_A_CURVE = 10
STYLE = (Path(__file__).parent / "style.css").read_text()


def page(whole):
    parts = [heading(whole)]
    entries = whole.get("workloads", [])
    served = [entry for entry in entries if entry["kind"] == "served"]
    run = [entry for entry in entries if entry["kind"] == "command"]
    if served:
        parts += [summary(served), served_cards(served)]
    if run:
        parts += [command_cards(run)]
    if "growth" in whole:
        parts += [growth_section(whole["growth"], "records", "With more records"),
                  growth_section(whole["growth"], "fields", "With more fields")]
    if "limits" in whole:
        parts.append(limits_section(whole["limits"]))
    if "peers" in whole:
        parts += [peers_report.section(whole["peers"]), peers_report.manner(whole)]
    else:
        parts.append(manner(whole))
    return document("Waggle, measured", "".join(parts))


def document(title, content):
    return (f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"<title>{escape(title)}</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n{content}"
            "</body>\n</html>\n")


def heading(whole):
    settings = whole["settings"]
    stored = f", {settings['records']:,} records stored" if "records" in settings else ""
    subject = "How costs grow" if "growth" in whole \
        else "Beside its limits" if "limits" in whole \
        else "Waggle beside others" if "peers" in whole else "What Waggle carries"
    return (f"<h1>{subject}</h1>\n"
            f'<p class="facts">{escape(words.rounds(settings))}{stored}</p>\n'
            f'<p class="facts">{escape(" · ".join(machine_words(whole["machine"])))}</p>\n'
            f"{caution(settings)}")


def machine_words(machine):
    waggle = f"waggle {machine['waggle']}" if machine["waggle"] else "waggle"
    sources = f"sources {machine['commit']}" if machine["commit"] else ""
    found = [machine["date"], waggle, sources, f"{machine['cores']} × {machine['processor']}",
             machine["memory"], machine["system"],
             f"load of the last minute {machine['busy']}"]
    return [word for word in found if word]


def caution(settings):
    if settings["smoke"]:
        words_ = "This was only to see that everything works: short rounds, and few records. " \
                 "The figures say little."
    elif settings["rounds"] < 3 or settings["seconds"] < 3:
        words_ = f"Measured in {words.rounds(settings)}: take the figures for a first impression."
    else:
        return ""
    return f'<p class="warning">{words_}</p>\n'


# Workloads of the server.

def summary(entries):
    rows = "".join(
        f'<tr><td><a href="#{entry["name"]}">{escape(entry["title"])}</a></td>'
        f'<td><strong>{words.number(rate(entry))}</strong> <small>{entry["unit"]}</small></td>'
        f"<td>{spread_words(entry)}</td>"
        f'<td>{latency(entry, "p50")}</td><td>{latency(entry, "p99")}</td>'
        f'<td>{words.duration(entry["processor"]["median"])}</td>'
        f'<td>{words.number(entry["memory"]["median"])} MB</td></tr>\n' for entry in entries)
    return ('<div class="scroll"><table>\n<tr><th>what clients do</th><th>a second</th>'
            "<th>rounds</th><th>half of them<br>are done in</th><th>99 of 100<br>in</th>"
            "<th>processor,<br>each exchange</th><th>server’s<br>peak memory</th></tr>\n"
            f"{rows}</table></div>\n")


def rate(entry):
    return entry["throughput"]["median"] * entry["units"]


def spread_words(entry):
    """The minimum and the maximum relative to the median, as text."""
    found = entry["throughput"]
    if len(found["rounds"]) < 2:
        return "only one"
    below, above = (found[name] / found["median"] - 1 for name in ("least", "most"))
    return f"{words.percent(below)} {words.percent(above)}"


def latency(entry, name):
    found = entry["latency"].get(name)
    return words.duration(found["median"]) if found else "–"


def served_cards(entries):
    cards = "".join(served_card(entry) for entry in entries)
    return (f'<h2>Each by itself</h2>\n<p class="quiet">The bar is the median of what was done in '
            "a second, and each dot a round. The curve tells how long exchanges took: at 99 %, all "
            f'but one of a hundred were done in this time.</p>\n<div class="cards">{cards}</div>\n')


def served_card(entry):
    kind = "" if has_curve(entry) else ' class="short"'
    return (f'<figure id="{entry["name"]}"{kind}><h3>{escape(entry["title"])}</h3>'
            f'<p class="about">{escape(entry["about"])}</p>'
            f'<p class="big">{words.number(rate(entry))} <small>{entry["unit"]} a second</small>'
            f"</p>"
            f'{charts.spread_bar(entry["throughput"], entry["unit"] + " a second", entry["units"])}'
            f"{curve(entry)}<figcaption>{escape(served_caption(entry))}</figcaption></figure>\n")


def has_curve(entry):
    return entry["latency"]["count"] >= LEAST_FOR_A_CURVE


def curve(entry):
    return charts.latency_curve(entry["latency"]["curve"]) if has_curve(entry) else ""


def served_caption(entry):
    connections = f"{entry['connections']:,} connection{'s' if entry['connections'] > 1 else ''}"
    how = f"that began at random, {words.number(entry['rate'])} a second" if entry["rate"] \
        else "that each began when one before was done, so that waiting is not in it"
    return (f"{connections}; latency of {entry['latency']['count']:,} exchanges {how}. "
            f"{words.duration(entry['processor']['median'])} of the server’s processors for "
            f"each, at most {words.number(entry['memory']['most'])} MB of memory. The load "
            f"generator took {100 * entry['load']['median']:.0f} % of a core beside it.")


# The tool.

def command_cards(entries):
    cards = "".join(
        f'<figure id="{entry["name"]}" class="short"><h3>{escape(entry["title"])}</h3>'
        f'<p class="about">{escape(entry["about"])}</p>'
        f'<p class="big">{words.duration(entry["wall"]["median"])} <small>of '
        f'{entry["runs"]} runs</small></p>{charts.spread_bar(entry["wall"], "ms")}'
        f"<figcaption>{words.duration(entry['processor']['median'])} of processors"
        f"{command_memory(entry)}.</figcaption></figure>\n" for entry in entries)
    return ("<h2>The tool</h2>\n<p class=\"quiet\">From the start of a process to its end, one at "
            f'a time.</p>\n<div class="cards">{cards}</div>\n')


def command_memory(entry):
    return f", {words.number(entry['memory']['median'])} MB of memory" if "memory" in entry else ""


# Growth.

def growth_section(found, axis, title):
    chosen = [entry for entry in found if entry["axis"] == axis]
    cards = "".join(growth_card(entry) for entry in chosen)
    return (f"<h2>{title}</h2>\n{growth_table(chosen)}"
            f'<div class="cards">{cards}</div>\n')


def growth_table(entries):
    heads = "".join(f"<th>{words.sized(words.short(size), entries[0]['axis'])}</th>"
                    for size in entries[0]["sizes"])
    rows = "".join(
        f'<tr><td>{escape(found["title"])}</td>'
        + "".join(f"<td>{words.duration(cost['least'])}</td>" for cost in found["cost"])
        + f'<td><strong>{found["growth"]:.2f}</strong></td>'
        f'<td>{found["processorGrowth"]:.2f}</td><td>{goal(found)}</td></tr>\n'
        for found in entries)
    return ('<div class="scroll"><table>\n<tr><th>what one client does</th>'
            f"{heads}<th>times<br>as long</th><th>times the<br>processor</th><th>at most</th></tr>"
            f"\n{rows}</table></div>\n")


def goal(found):
    if found["most"] is None:
        return "–"
    kind, verdict = ("good", "holds") if found["holds"] else ("bad", "missed")
    return f'{found["most"]:g} <span class="{kind}">{verdict}</span>'


def growth_card(found):
    sizes, peaks = found["sizes"], [peak["median"] for peak in found["memory"]]
    return (f'<figure><h3>{escape(found["title"])}</h3>'
            f'<p class="about">{escape(found["about"])}</p>'
            f'<p class="big">{found["growth"]:.2f} <small>times the time, from '
            f"{words.short(sizes[0])} to {words.short(sizes[-1])} {found['axis']}</small></p>"
            f"{charts.growth_chart(found)}<figcaption>The server’s processors: "
            f"{found['processorGrowth']:.2f} times. Peak memory: {words.number(peaks[0])} to "
            f"{words.number(peaks[-1])} MB.</figcaption></figure>\n")


# Limits.

def limits_section(found):
    rows = "".join(
        f'<tr><td><a href="#{each["name"]}">{escape(each["ours"]["title"])}</a><br>'
        f'<small>{escape(each["limit"]["title"])}</small></td>'
        f'<td>{words.number(each["ours"]["throughput"]["median"])}</td>'
        f'<td>{words.number(each["limit"]["throughput"]["median"])} '
        f'<small>{each["unit"]}</small></td>'
        f'<td><strong>{words.share(each["share"]["median"])}</strong></td>'
        f'<td>{words.share(each["share"]["least"])} – {words.share(each["share"]["most"])}</td>'
        f'<td>{words.duration(each["ours"]["processor"]["median"])}</td>'
        f'<td>{words.duration(each["limit"]["processor"]["median"])}</td>'
        f'<td>{each["cost"]["median"]:.2f}</td><td>{limit_verdict(each)}</td></tr>\n'
        for each in found)
    return ('<div class="scroll"><table>\n<tr><th>what clients do<br>and its limit</th>'
            "<th>a second</th><th>its limit</th><th>share</th><th>rounds</th>"
            "<th>processor<br>each</th><th>of its<br>limit</th><th>times<br>as much</th>"
            f"<th>goal</th></tr>\n{rows}</table></div>\n"
            f'<div class="cards">{"".join(limit_card(each) for each in found)}</div>\n')


def limit_verdict(found):
    if found["leastShare"] is None and found["mostCost"] is None:
        return "–"
    kind, verdict = ("good", "holds") if found["holds"] else ("bad", "missed")
    return f'{words.goal_of_limit(found)} <span class="{kind}">{verdict}</span>'


def limit_figure(found):
    kind = found["by"]
    of, figure = ("times the processor time of", f"{found[kind]['median']:.2f}") \
        if kind == "cost" else ("of", words.share(found[kind]["median"]))
    return f'{figure} <small>{of} {escape(found["limit"]["title"])}</small>'


def limit_card(found):
    ours, limit = found["ours"], found["limit"]
    return (f'<figure id="{found["name"]}" class="short"><h3>{escape(ours["title"])}</h3>'
            f'<p class="about">{escape(ours["about"])}</p>'
            f'<p class="big">{limit_figure(found)}</p>'
            f'{charts.pair_of_bars(ours, limit, found["unit"] + " a second")}'
            f'<p class="about">{escape(limit["about"])}</p>'
            f"<figcaption>{words.duration(ours['processor']['median'])} of processors each, "
            f"{found['cost']['median']:.2f} times the "
            f"{words.duration(limit['processor']['median'])} of the limit.{limit_load(found)}"
            "</figcaption></figure>\n")


def limit_load(found):
    """The share of a core that the load generator used, as text."""
    loads = [f"{words.share(found[side]['load']['median'])} of a core beside {name}"
             for side, name in (("ours", "ours"), ("limit", "the limit")) if found[side]["load"]]
    return f" The load generator took {' and '.join(loads)}." if loads else ""


def manner(whole):
    paragraphs = [
        "Server and load generator run on one machine, so they share its processors: with a second "
        "machine the server would do more. A round begins with a server that was just started on a "
        f"copy of what is stored, which is played with for {whole['settings']['warm_up']:g} s "
        "before it is measured. Rounds of everything take turns, so that what the machine does "
        "meanwhile counts for all."]
    if "limits" in whole:
        paragraphs += limits_manner()
    elif "growth" in whole:
        paragraphs.append("One client asks again as soon as it has its answer; what an exchange "
                          "takes is the time of a round by the number of its exchanges. The "
                          "quickest round counts, since what else the machine does can only add "
                          "to it; lines upwards go to the slowest.")
    else:
        paragraphs.append(
            "So much a second: each connection asks again as soon as it has its answer. For "
            "latencies exchanges begin at random moments, half as many a second, whether or not "
            "those before are done; a latency counts from the moment when the exchange should have "
            "begun, so one that holds up others is seen in all of them. Percentiles are those of "
            "all rounds together, and are left out where too few exchanges were played to tell.")
    return "<h2>How this was measured</h2>\n" + "".join(
        f"<p>{paragraph}</p>\n" for paragraph in paragraphs)


def limits_manner():
    return [
        "A limit does what no server that keeps the same rows and answers the same requests can do "
        "without, and nothing else. It is measured in the same rounds, right beside ours; shares "
        "are those of each round, and the median of them is what has to reach the goal.",
        "Where connections ask, each asks again as soon as it has its answer, and the load "
        "generator takes its part of the same processors for both. So a share of what is done in a "
        "second is not the inverse of how many times the processor time is taken, which is that of "
        "the server alone."]
