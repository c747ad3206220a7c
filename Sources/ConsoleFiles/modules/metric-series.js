// Readings of the metrics of a process, and what they tell over time.

/** The most readings that are kept: those of an hour, one every ten seconds. */
export const MOST_READINGS = 360;

const START = "process_start_time_seconds";

/** Readings of metrics in their order, the oldest of which go. */
export class MetricReadings {
  /** `{at, seconds, process}`: Unix time in milliseconds, a steady clock, and whose they are. */
  moments = [];
  /**
   * `{name, family, kind, labels, help, values, text, place, reading}` by name and labels: `text`
   * and `place` are the value and the line of the last reading in which it was, `reading` its
   * number.
   */
  series = new Map();
  /** How many were added. */
  count = 0;

  /** Adds a reading in the text format of Prometheus. Buckets are left out. */
  add(text, at, seconds) {
    const { helps, kinds, samples } = parse(text);
    const process = samples.find(({ name }) => name === START)?.text ?? null;
    this.count += 1;
    for (const [place, each] of samples.entries()) {
      const key = each.name + each.labels;
      const family = kinds.has(each.name) ? each.name : each.name.replace(/_(sum|count)$/, "");
      if (!this.series.has(key)) {
        this.series.set(key, { ...each, family, kind: kinds.get(family) ?? "gauge",
          help: helps.get(family) ?? "", values: this.moments.map(() => NaN) });
      }
      const known = this.series.get(key);
      Object.assign(known, { text: each.text, place, reading: this.count });
      known.values.push(Number(each.text));
    }
    this.moments.push({ at, seconds, process });
    for (const [key, { values, reading }] of this.series) {
      if (values.length < this.moments.length) values.push(NaN);
      if (values.length > MOST_READINGS) values.shift();
      if (reading <= this.count - MOST_READINGS) this.series.delete(key);
    }
    if (this.moments.length > MOST_READINGS) this.moments.shift();
  }

  /** The series of the last reading whose name and labels contain a text in small letters. */
  found(text) {
    return [...this.series.values()].filter(({ name, labels, reading }) =>
      reading === this.count && `${name}${labels}`.toLowerCase().includes(text))
      .sort((one, other) => one.place - other.place);
  }

  /** One value for each moment of what is found of a family; null where nothing can be said. */
  points(family, found) {
    const own = found.filter((each) => each.family === family);
    const labels = new Set(own.map((each) => each.labels));
    const named = (name) => [...this.series.values()].filter((each) =>
      each.name === name && labels.has(each.labels));
    return this.moments.map((moment, index) => {
      switch (own[0].kind) {
        case "counter":
          return ratio(this.growth(own, index), moment.seconds - this.moments[index - 1]?.seconds);
        case "histogram":
          return ratio(this.growth(named(`${family}_sum`), index),
            this.growth(named(`${family}_count`), index));
        default: return total(own.map(({ values }) => values[index]));
      }
    });
  }

  /** By how much counters have grown since the reading before; null if another process answered. */
  growth(series, index) {
    if (index === 0 || this.moments[index].process !== this.moments[index - 1].process) return null;
    const grown = total(series.map(({ values }) =>
      values[index] - (Number.isNaN(values[index - 1]) ? 0 : values[index - 1])));
    return grown === null || grown < 0 ? null : grown;
  }
}

/** Says how points of a kind were made; empty for values that are shown as they were read. */
export function meaningOf({ kind }) {
  return { histogram: "on average", gauge: "" }[kind] ?? "in each second";
}

/** The measure of the points of a family: `bytes`, `seconds`, `moment`, or null for numbers. */
export function measureOf({ family, kind }) {
  if (kind === "gauge" && /_(time|timestamp)_seconds$/.test(family)) return "moment";
  if (kind === "histogram") return "seconds";
  return /_(bytes|seconds)(_total)?$/.exec(family)?.[1] ?? null;
}

const units = {
  bytes: [[1e9, "GB"], [1e6, "MB"], [1e3, "kB"], [1, "bytes"]],
  seconds: [[1, "s"], [1e-3, "ms"], [1e-6, "µs"]],
};

/** A number with its unit, to four digits; a whole number without a unit has all of them. */
export function measured(number, measure) {
  if (measure === "moment") return `${new Date(number * 1000).toISOString().slice(0, 19)}Z`;
  const [scale, unit] = (units[measure] ?? []).find(([least]) => Math.abs(number) >= least)
    ?? [1, measure === "seconds" ? "s" : measure ?? ""];
  const scaled = number / scale;
  const digits = Number.isInteger(scaled) ? scaled : Number(scaled.toPrecision(4));
  return `${digits.toLocaleString("en", { maximumFractionDigits: 9 })} ${unit}`.trim();
}

function parse(text) {
  const [helps, kinds, samples] = [new Map(), new Map(), []];
  for (const line of text.split("\n")) {
    const told = /^# (HELP|TYPE) (\S+) (.*)$/.exec(line);
    if (told) (told[1] === "HELP" ? helps : kinds).set(told[2], told[3]);
    const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/.exec(line);
    if (!sample || sample[1].endsWith("_bucket")) continue;
    samples.push({ name: sample[1], labels: sample[2] ?? "", text: sample[3] });
  }
  return { helps, kinds, samples };
}

/** The sum of the numbers that there are; null without any. */
function total(values) {
  const numbers = values.filter(Number.isFinite);
  return numbers.length === 0 ? null : numbers.reduce((sum, value) => sum + value, 0);
}

function ratio(part, whole) {
  return part === null || !(whole > 0) ? null : part / whole;
}
