"""Formats figures for people."""


def number(value):
    """Three significant digits; large numbers are rounded to integers."""
    if value == 0:
        return "0"
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def duration(milliseconds):
    if milliseconds < 0.01:
        return f"{number(milliseconds * 1000)} µs"
    if milliseconds < 1:
        return f"{milliseconds * 1000:.0f} µs"
    if milliseconds < 1000:
        return f"{number(milliseconds)} ms"
    return f"{number(milliseconds / 1000)} s"


def tick(milliseconds):
    """A round duration, for the label of an axis."""
    for size, unit in ((1000, "s"), (1, "ms")):
        if milliseconds >= size:
            return f"{milliseconds / size:g} {unit}"
    return f"{milliseconds * 1000:g} µs"


def share(value):
    return f"{100 * value:.0f} %"


def percent(share):
    return f"{100 * share:+.0f} %"


def short(value):
    """A round number, for the label of an axis: 10k, 1M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if value >= size:
            return f"{value / size:g}{letter}"
    return f"{value:g}"


def sized(text, axis):
    """A number with its noun: '1k records', '1 field'."""
    return f"{text} {axis if text != '1' else axis.removesuffix('s')}"


def goal_of_limit(found):
    """The goal of a comparison with a limit."""
    if found["leastShare"] is not None:
        return f"at least {share(found['leastShare'])}"
    return "–" if found["mostCost"] is None else f"at most {found['mostCost']:g} times"


def rounds(settings):
    count, seconds = settings["rounds"], settings["seconds"]
    return f"{count} round{'s' if count > 1 else ''} of {seconds:g} s"
