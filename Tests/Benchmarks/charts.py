"""Charts as SVG. The classes of `style.css` define the colours."""
import math
from html import escape

import words

WIDTH = 360


def svg(height, label, parts, width=WIDTH):
    return (f'<svg viewBox="0 0 {width} {height}" role="img" aria-label="{escape(label, True)}">'
            f'{"".join(parts)}</svg>')


def text(x, y, content, kind="", anchor="start"):
    kind = f' class="{kind}"' if kind else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{kind}>{escape(content)}</text>'


def line(x1, y1, x2, y2, kind):
    return f'<line x1="{x1:.1f}" y1="{y1:.1f}" x2="{x2:.1f}" y2="{y2:.1f}" class="{kind}"/>'


def path(points, kind):
    steps = " L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{steps}" class="{kind}"/>'


def dot(x, y, kind, radius=2.5, title=""):
    inner = f"<title>{escape(title)}</title>" if title else ""
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" class="{kind}">{inner}</circle>'


# Scales.

def linear(low, high, start, end):
    return lambda value: start + (value - low) / (high - low) * (end - start)


def logarithmic(low, high, start, end):
    scale = linear(math.log(low), math.log(high), start, end)
    return lambda value: scale(math.log(value))


def round_steps(high, most=4):
    """Ticks from 0 to `high`, in at most `most` steps of 1, 2 or 5 times a power of ten."""
    power = 10 ** math.floor(math.log10(high / most))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor * most >= high)
    return [step * number for number in range(math.floor(high / step + 1e-9) + 1)]


def log_steps(low, high):
    """Ticks of a logarithmic axis: as many multiples of each power of ten as fit."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    tens = math.log10(high / low)
    factors = (1,) if tens > 2.5 else (1, 2, 5) if tens > 0.8 else (1, 1.5, 2, 3, 5, 7)
    found = [factor * 10.0 ** power for power in powers for factor in factors]
    return [value for value in found if low <= value * 1.0001 and value <= high * 1.0001]


# Charts.

def spread_bar(spread, unit, factor=1):
    """A bar for the median, a whisker from minimum to maximum, and a dot for each round."""
    high = spread["most"] * factor * 1.04
    x = linear(0, high, 6, WIDTH - 12)
    parts = [f'<rect x="6" y="8" width="{x(spread["median"] * factor) - 6:.1f}" height="16" rx="3" '
             'class="bar"/>']
    parts += whisker(x(spread["least"] * factor), x(spread["most"] * factor), 16)
    parts += [dot(x(value * factor), 16, "round", title=f"{words.number(value * factor)} {unit}")
              for value in spread["rounds"]]
    parts += scale(x, high, 30, unit)
    return svg(60, f"{words.number(spread['median'] * factor)} {unit}", parts)


def pair_of_bars(ours, limit, unit):
    """Two bars on one scale, each with a whisker and a dot for each round."""
    high = max(side["throughput"]["most"] for side in (ours, limit)) * 1.04
    x = linear(0, high, 6, WIDTH - 12)
    parts = []
    for place, (side, kind) in enumerate(((ours, "bar"), (limit, "bar-of-other"))):
        found, y = side["throughput"], 22 + 40 * place
        parts += [text(6, y - 6, side["title"], "tick"),
                  f'<rect x="6" y="{y}" width="{x(found["median"]) - 6:.1f}" height="16" rx="3" '
                  f'class="{kind}"/>', *whisker(x(found["least"]), x(found["most"]), y + 8)]
        parts += [dot(x(value), y + 8, "round", title=f"{words.number(value)} {unit}")
                  for value in found["rounds"]]
    parts += scale(x, high, 86, unit)
    return svg(116, f"{words.number(ours['throughput']['median'])} of "
                    f"{words.number(limit['throughput']['median'])} {unit}", parts)


def whisker(least, most, y):
    if most - least <= 1:
        return []
    return [line(least, y, most, y, "whisker"), line(least, y - 5, least, y + 5, "whisker"),
            line(most, y - 5, most, y + 5, "whisker")]


def scale(x, high, y, unit):
    """A linear axis from 0, below the bars."""
    parts = [line(6, y, WIDTH - 12, y, "axis")]
    for step in round_steps(high):
        parts += [line(x(step), y, x(step), y + 3, "axis"),
                  text(x(step), y + 14, words.short(step), "tick", "middle" if step else "start")]
    return parts + [text(WIDTH, y + 27, unit, "tick", "end")]


def beside(ways):
    """Bars for several servers with the same workload, on one axis."""
    wide, high = 2 * WIDTH, max(way["throughput"]["most"] for way in ways) * 1.04
    x = linear(0, high, 210, wide - 60)
    parts = []
    for number, way in enumerate(ways):
        found, y = way["throughput"], 8 + 24 * number
        kind = "bar" if way["server"].startswith("waggle") else "bar-of-other"
        parts += [text(202, y + 12, way["title"], "", "end"),
                  f'<rect x="210" y="{y}" width="{max(1, x(found["median"]) - 210):.1f}" '
                  f'height="16" rx="3" class="{kind}"/>']
        parts += [dot(x(value), y + 8, "round", title=f"{words.number(value)} records a second")
                  for value in found["rounds"]]
        parts.append(text(x(found["most"]) + 8, y + 12, words.number(found["median"])))
    bottom = 10 + 24 * len(ways)
    parts.append(line(210, bottom, wide - 60, bottom, "axis"))
    for step in round_steps(high, 5):
        parts += [line(x(step), bottom, x(step), bottom + 3, "axis"),
                  text(x(step), bottom + 14, words.short(step), "tick", "middle")]
    return svg(bottom + 18, "records a second", parts, wide)


def ratio_bar(ratio, kind):
    """A bar from the middle to the right for a speedup, at most twofold, or to the left."""
    reach = max(-1, min(1, math.log(ratio, 2))) * 44
    left = 46 + min(0, reach)
    return (f'<svg class="ratio" viewBox="0 0 92 14" aria-hidden="true">'
            f'<rect x="{left:.1f}" y="3" width="{abs(reach):.1f}" height="8" class="{kind}"/>'
            f'{line(46, 0, 46, 14, "axis")}</svg>')


PERCENTS = [0, 50, 90, 99, 99.9, 99.99]


def latency_curve(curve):
    """Milliseconds by percentile, with at least two points. Each step to the right excludes nine
    tenths of the remaining exchanges."""
    last = curve[-1][0]
    far = max(1.05, -math.log10(1 - last / 100))
    x = linear(0, far, 48, WIDTH - 14)
    low, high = curve[0][1], curve[-1][1]
    is_wide = high / max(low, 1e-3) > 8
    high *= 1.06
    y = logarithmic(max(low, 1e-3) * 0.9, high, 128, 10) if is_wide else linear(0, high, 128, 10)
    steps = log_steps(max(low, 1e-3) * 0.9, high) if is_wide else round_steps(high)
    parts = []
    for step in steps:
        parts += [line(48, y(step), WIDTH - 14, y(step), "grid"),
                  text(42, y(step) + 4, words.tick(step) if step else "0", "tick", "end")]
    for percent in PERCENTS:
        place = -math.log10(1 - percent / 100)
        if place <= far:
            parts += [line(x(place), 128, x(place), 132, "axis"),
                      text(x(place), 144, f"{percent:g} %", "tick", "middle")]
    parts += [line(48, 128, WIDTH - 14, 128, "axis"),
              text(WIDTH - 14, 158, "of the exchanges are done in", "tick", "end")]
    points = [(x(-math.log10(1 - percent / 100)), y(max(value, 1e-3)))
              for percent, value in curve]
    parts += [path(stairs(points), "curve"), dot(*points[-1], "end", 3)]
    return svg(162, "latency by percentile", parts)


def stairs(points):
    """Omits points that would be indistinguishable in the chart."""
    kept = [points[0]]
    for point in points[1:-1]:
        if abs(point[0] - kept[-1][0]) + abs(point[1] - kept[-1][1]) >= 0.5:
            kept.append(point)
    return kept + points[-1:]


def growth_chart(found):
    """The cost of each size and its maximum, on logarithmic axes."""
    sizes, costs = found["sizes"], found["cost"]
    first, most = costs[0]["least"], found["most"]
    values = [cost[name] for cost in costs for name in ("least", "most")]
    values += [first * most] if most else []
    # The axis covers at least a factor of three, so that noise does not look like growth.
    middle = math.sqrt(min(values) * max(values))
    half = max(math.sqrt(max(values) / min(values)) * 1.15, math.sqrt(3))
    low, high = middle / half / 1.15, middle * half
    x = logarithmic(sizes[0], sizes[-1], 60, WIDTH - 22)
    y = logarithmic(low, high, 150, 10)
    parts = []
    for step in log_steps(low, high):
        parts += [line(52, y(step), WIDTH - 14, y(step), "grid"),
                  text(46, y(step) + 4, words.tick(step), "tick", "end")]
    for size in sizes:
        parts += [line(x(size), 150, x(size), 154, "axis"),
                  text(x(size), 166, words.short(size), "tick", "middle")]
    parts += [line(52, 150, WIDTH - 14, 150, "axis"),
              text(WIDTH - 14, 180, f"{found['axis']}", "tick", "end")]
    if most:
        limit = y(first * most)
        parts += [line(52, limit, WIDTH - 14, limit, "limit"),
                  text(WIDTH - 14, limit - 5, f"{most:g} times the first", "limit-text", "end")]
    points = [(x(size), y(cost["least"])) for size, cost in zip(sizes, costs)]
    for (place, _), cost in zip(points, costs):
        parts.append(line(place, y(cost["least"]), place, y(cost["most"]), "whisker"))
    parts.append(path(points, "curve"))
    for number, (point, cost) in enumerate(zip(points, costs)):
        anchor = "start" if number == 0 else "end" if number == len(sizes) - 1 else "middle"
        parts += [dot(*point, "end", 3.5),
                  text(point[0], point[1] + 16, words.duration(cost["least"]), "", anchor)]
    return svg(184, f"cost by {found['axis']}", parts)
