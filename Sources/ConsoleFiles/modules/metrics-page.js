// The metrics of the process that answers, as Prometheus reads them, with what they measure.
import { send } from "./api.js";
import { button, el, field, fill, table } from "./dom.js";
import { openShell } from "./shell.js";
import { load } from "./states.js";

const { main } = await openShell("metrics");
const rows = el("div", {});
const search = el("input", { type: "search", autocomplete: "off", oninput: () => drawRows() });
let metrics = [];

await read();

function read() {
  return load(main, async () => {
    const { response } = await send("GET", "metrics", { raw: true });
    metrics = samples(await response.text());
  }, () => {
    drawRows();
    return [el("div", { class: "toolbar" }, field("Search", search), button("Read again", read)),
      rows];
  });
}

/** Samples of the text format, each with the help of its metric. Buckets are left out. */
function samples(text) {
  const helps = new Map();
  const found = [];
  for (const line of text.split("\n")) {
    const help = /^# HELP (\S+) (.*)$/.exec(line);
    if (help) helps.set(help[1], help[2]);
    const sample = /^([a-zA-Z_:][\w:]*)(\{.*\})? (\S+)$/.exec(line);
    if (!sample || sample[1].endsWith("_bucket")) continue;
    const [, name, labels = "", value] = sample;
    const help2 = helps.get(name) ?? helps.get(name.replace(/_(sum|count|total)$/, "")) ?? "";
    found.push({ name, labels, value, help: help2 });
  }
  return found;
}

function drawRows() {
  const text = search.value.toLowerCase();
  fill(rows, table("Metrics", [
    { title: "Metric", kind: "name", cell: ({ name }) => name },
    { title: "Labels", kind: "which", cell: ({ labels }) => labels },
    { title: "Value", kind: "number", cell: ({ value }) => value },
    { title: "Meaning", cell: ({ help }) => help },
  ], metrics.filter(({ name, labels }) => `${name}${labels}`.toLowerCase().includes(text))));
}
