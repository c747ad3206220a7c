"""What clients do with `waggle serve`, beside what it cannot exceed: the same without all that the
server decides, played and measured in the same rounds."""
from typing import Callable, NamedTuple

import words
from rig import in_turns, processor_ms, spread
from served import Listening, Server
from stored import BATCH
from suite import workload_list
from sync import tell


class Measured(NamedTuple):
    # A second, in the comparison's unit, and the milliseconds of processors that each takes.
    rate: float
    processor: float


class Side(NamedTuple):
    """One of the two that are compared."""
    name: str
    title: str
    # What it does and, of a limit, what it does not.
    about: str
    # Given a `Bench`, what was `Measured` in a round.
    measure: Callable


class Comparison(NamedTuple):
    name: str
    ours: Side
    limit: Side
    unit: str
    # Of the limit's rate, ours has to be such a share.
    least_share: float | None = None
    # Ours may take so many times the limit's processor time.
    most_cost: float | None = None

    @property
    def title(self):
        return f"{self.ours.title} beside: {self.limit.title}"


def comparison_list(options):
    found = {item.name: item for item in workload_list(options)}
    return [nothing(found["pull-nothing"])]


def measured(rig, chosen):
    """Of each comparison a member of the report."""
    bench = Bench(rig)
    sides = {side.name: side for item in chosen for side in (item.ours, item.limit)}
    rounds = in_turns(rig.options.rounds, "beside its limit", list(sides.values()),
                      lambda side: side.measure(bench))
    return [entry(item, rounds[item.ours.name], rounds[item.limit.name], rig.options.smoke)
            for item in chosen]


def entry(item, ours, limit, is_smoke):
    """Shares and costs are those of each round, in which one follows the other."""
    share = spread(one.rate / other.rate for one, other in zip(ours, limit))
    cost = spread(one.processor / other.processor for one, other in zip(ours, limit))
    least, most = (None, None) if is_smoke else (item.least_share, item.most_cost)
    return {
        "name": item.name, "unit": item.unit, "ours": side_entry(item.ours, ours),
        "limit": side_entry(item.limit, limit), "share": share, "cost": cost,
        "leastShare": least, "mostCost": most,
        "holds": (least is None or share["median"] >= least)
        and (most is None or cost["median"] <= most)}


def side_entry(side, rounds):
    return {"title": side.title, "about": side.about,
            "throughput": spread(each.rate for each in rounds),
            "processor": spread(each.processor for each in rounds)}


def tell_goals(entries):
    """The exit code."""
    for found in entries:
        if found["leastShare"] is not None or found["mostCost"] is not None:
            print(f"{'holds' if found['holds'] else 'MISSED'}: {goal(found)}")
    return 0 if all(found["holds"] for found in entries) else 1


def goal(found):
    if found["mostCost"] is not None:
        return f"{found['ours']['title']} costs {found['cost']['median']:.2f} times as much as " \
               f"{found['limit']['title']}, at most {found['mostCost']}"
    return f"{found['ours']['title']} comes to {words.share(found['share']['median'])} of " \
           f"{found['limit']['title']}, at least {words.share(found['leastShare'])}"


class Bench:
    """What rounds of both sides need."""

    def __init__(self, rig):
        self.rig = rig
        self.program = rig.options.limit_benchmark
        self.folder = rig.folder
        self.stored = rig.database("service")
        self.write_answers()

    def write_answers(self):
        """What our server answers, for a constant of the same bytes."""
        tell("asking for answers that are to be constant")
        stored, user = self.stored, self.stored.user
        with Server(stored.site) as server:
            client = server.client(user)
            for name, cursor in (("nothing", stored.cursors[user]), ("page", None)):
                message = client.request(cursor=cursor, limit=min(BATCH, stored.records))
                (self.folder / name).write_bytes(client.connection.exchange(message))

    def play(self, workload, **options):
        found = self.rig.play(workload, self.stored, **options)
        return Measured(found.rate * workload.units, processor_ms(found) / workload.units)

    def play_constant(self, workload, name):
        return self.play(workload, serve=lambda site: Listening(
            self.program, "route", self.folder / name))


def ours(workload):
    return Side(workload.name, workload.title, workload.about,
                lambda bench: bench.play(workload))


def nothing(workload):
    limit = Side(
        "constant", "a constant route",
        "A Hummingbird server that answers the same requests with the bytes of our answer, on "
        "the same connections. It looks neither at their tokens nor at their bodies, and has no "
        "database.",
        lambda bench: bench.play_constant(workload, "nothing"))
    return Comparison("pull-nothing", ours(workload), limit, "pulls", least_share=0.6)
