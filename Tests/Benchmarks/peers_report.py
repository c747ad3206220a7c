"""The comparison with other servers as a section of the page and as text."""
from html import escape

import charts
import words
from tables import table

NONE = "–"


def section(found):
    return servers(found) + "".join(work_section(work) for work in found["works"])


def servers(found):
    rows = "".join(
        f"<tr><td>{escape(server['title'])}</td><td class=\"words\">{escape(server['about'])}</td>"
        f"<td class=\"words\">{escape(server['durability'])}</td></tr>\n"
        for server in found["servers"])
    return ('<div class="scroll"><table>\n<tr><th>server</th><th class="words">as it is measured'
            f'</th><th class="words">what is answered is</th></tr>\n{rows}</table></div>\n')


def work_section(work):
    pairs = "".join(pair_table(pair) for pair in work["pairs"])
    return (f'<h2 id="{work["name"]}">{escape(headline(work))}</h2>\n'
            f'<p class="quiet">{escape(work["about"])}; {connections(work)}</p>\n'
            '<div class="cards wide"><figure>'
            f"<h3>Records a second, as fast as it goes</h3>{charts.beside(work['ways'])}"
            f"<figcaption>{escape(refusals(work['ways']))}</figcaption></figure></div>\n{pairs}")


def headline(work):
    return work["title"][0].upper() + work["title"][1:]


def connections(work):
    count = work["connections"]
    return f"{count} connection{'s' if count > 1 else ''}"


def refusals(ways):
    found = [f"{way['title']} refused {way['refused']:,} of {way['sent']:,} records"
             for way in ways if way["refused"]]
    said = f"{'; '.join(found)}." if found else "Nothing was refused."
    return f"The bar is the median, each dot a round. {said}"


def pair_table(pair):
    rows = "".join(
        f"<tr><td>{escape(ours['title'])}</td><td><strong>{ratio(ours)}</strong></td>"
        f"<td>{spread(ours)}</td><td>{verdict(ours['least'], ours['holds'])}</td>"
        f"<td>{latency(ours, 'p50')}</td><td>{latency(ours, 'p99')}</td>"
        f"<td>{tail(ours)}</td></tr>\n" for ours in pair["ours"])
    return ('<div class="scroll"><table>\n<tr><th>beside '
            f'{escape(pair["title"])}</th><th>times the<br>records a second</th><th>rounds</th>'
            f"<th>at least</th><th>p50 at {words.number(pair['rate'])}<br>requests a second</th>"
            f"<th>p99</th><th>no worse</th></tr>\n{rows}"
            f"<tr><td>{escape(pair['title'])}</td><td>1</td><td></td><td></td>"
            f"<td>{latency(pair, 'p50')}</td><td>{latency(pair, 'p99')}</td><td></td></tr>\n"
            "</table></div>\n")


def ratio(ours):
    return words.number(ours["ratio"]["median"])


def spread(ours):
    found = ours["ratio"]
    return f"{words.number(found['least'])} to {words.number(found['most'])}"


def latency(entry, name):
    found = entry["latency"].get(name)
    return words.duration(found["median"]) if found else NONE


def verdict(least, holds):
    if least is None:
        return NONE
    return f"{least:g} {mark(holds)}"


def tail(ours):
    return NONE if ours["tailHolds"] is None else mark(ours["tailHolds"])


def mark(holds):
    kind, said = ("good", "holds") if holds else ("bad", "missed")
    return f'<span class="{kind}">{said}</span>'


def text(found):
    return "\n".join(throughput(work) + "\n" + "\n".join(map(beside, work["pairs"]))
                     for work in found["works"])


def throughput(work):
    return table(
        [work["title"], "records a second", "least", "most", "sent", "refused", "load generator"],
        [[way["title"], *(words.number(way["throughput"][name])
                          for name in ("median", "least", "most")),
          f"{way['sent']:,}", f"{way['refused']:,}",
          f"{100 * way['load']['median']:.0f} % of a core"] for way in work["ways"]])


def beside(pair):
    rows = [[ours["title"], ratio(ours), spread(ours),
             NONE if ours["least"] is None else f"{ours['least']:g}",
             latency(ours, "p50"), latency(ours, "p99")] for ours in pair["ours"]]
    rows.append([pair["title"], "1", "", "", latency(pair, "p50"), latency(pair, "p99")])
    return table([f"beside {pair['title']}", "times as many", "of rounds", "at least",
                  f"p50 at {words.number(pair['rate'])} requests a second", "p99"], rows)


MANNER = (
    "All servers run on this machine, one at a time beside the load generator, and share its "
    "processors with it, with their databases and with what else runs. Each round begins with a "
    "server that was just started, which is played with for {warm_up:g} s before it is measured; "
    "rounds of all servers take turns. Connections stay open.",
    "As fast as it goes: each connection asks again as soon as it has its answer. Records that are "
    "made count when they are in the database after the round. A refusal is no success. Kinto "
    "refuses some of what writes at the same time with 409; of a batch with such an answer in it "
    "it keeps only the records after the last refused one, though it has answered 201 for those "
    "before.",
    "For latencies, requests begin at random moments, half as many a second as the slower of the "
    "two servers answers, the same for both; a latency counts from the moment when the request "
    "should have begun. Latencies are those of right answers.",
)


def manner(whole):
    known = {"warm_up": whole["settings"]["warm_up"]}
    return "<h2>How this was measured</h2>\n" + "".join(
        f"<p>{escape(paragraph.format(**known))}</p>\n" for paragraph in MANNER)
