// The metrics of the process that answers, as Prometheus reads them, with what they measure, and
// charts of them for as long as the page is open.
import { send } from "./api.js";
import { chart } from "./chart.js";
import { button, el, field, fill } from "./dom.js";
import { MetricReadings, MOST_READINGS, meaningOf, measureOf } from "./metric-series.js";
import { openShell } from "./shell.js";
import { errorState, load } from "./states.js";
import { table } from "./table.js";

const SECONDS_BETWEEN = 10;
const { main } = await openShell("metrics");
const readings = new MetricReadings();
const [charts, rows, failure] = [el("div", { class: "charts" }), el("div", {}),
  el("div", { role: "alert" })];
const count = el("span", { class: "faint" });
const search = el("input", { type: "search", autocomplete: "off", oninput: () => draw() });
const goesOn = el("button", {
  type: "button", class: "switch", role: "switch", "aria-checked": "true",
  onclick: () => follow(!isFollowing()),
}, `Read every ${SECONDS_BETWEEN} seconds`);
let [drawnCharts, cells] = [new Map(), new Map()];
let [left, isReading] = [MOST_READINGS, false];

await load(main, take, () => {
  draw();
  setInterval(() => readByItself(), SECONDS_BETWEEN * 1000);
  return [
    el("div", { class: "toolbar" }, field("Search", search), button("Read again", () => read()),
      goesOn, count),
    failure, el("h2", {}, "Since the page was opened"), charts, el("h2", {}, "As last read"), rows,
  ];
});

/** Takes a reading. Throws an ApiError. */
async function take() {
  const { response } = await send("GET", "metrics", { raw: true });
  readings.add(await response.text(), Date.now(), performance.now() / 1000);
}

async function read() {
  if (isReading) return;
  isReading = true;
  try {
    await take();
    fill(failure);
    draw();
  } catch (error) {
    follow(false);
    fill(failure, errorState(error, read));
  } finally {
    isReading = false;
  }
}

/** A session that nobody uses is to end: an open page reads for an hour by itself. */
function readByItself() {
  if (!isFollowing() || document.hidden) return;
  left -= 1;
  if (left <= 0) follow(false);
  read();
}

function isFollowing() {
  return goesOn.getAttribute("aria-checked") === "true";
}

function follow(does) {
  left = MOST_READINGS;
  goesOn.setAttribute("aria-checked", String(does));
}

function draw() {
  const found = readings.found(search.value.toLowerCase());
  const { length } = readings.moments;
  fill(count, length === 1 ? "1 reading" : `${length} readings`);
  drawCharts(found);
  drawRows(found);
}

/** A chart that is drawn stays, since its table may be open. */
function drawCharts(found) {
  const families = new Map(found.map((each) => [each.family, each]));
  if (!isSame(families, drawnCharts)) {
    drawnCharts = new Map([...families].map(([family, { help, kind }]) =>
      [family, drawnCharts.get(family)
        ?? chart({
          title: family, help, unit: meaningOf({ kind }), measure: measureOf({ family, kind }),
        })]));
    fill(charts, [...drawnCharts.values()]);
  }
  for (const [family, node] of drawnCharts) {
    node.show([...readings.moments], readings.points(family, found));
  }
}

/** Rows stay while they are the same: only their values change. */
function drawRows(found) {
  const shown = new Map(found.map((each) => [each.name + each.labels, each]));
  if (!isSame(shown, cells)) {
    cells = new Map([...shown].map(([key]) => [key, el("span", {})]));
    const hadFocus = rows.contains(document.activeElement);
    fill(rows, table("Metrics", [
      { title: "Metric", kind: "name", cell: ({ name }) => name },
      { title: "Labels", kind: "which", cell: ({ labels }) => labels },
      { title: "Value", kind: "number", cell: ({ name, labels }) => cells.get(name + labels) },
      { title: "Meaning", cell: ({ help }) => help },
    ], found));
    if (hadFocus) rows.firstElementChild.focus({ preventScroll: true });
  }
  for (const [key, { text }] of shown) fill(cells.get(key), text);
}

/** Whether two maps have the same keys in the same order. */
function isSame(one, other) {
  return one.size === other.size && [...one.keys()].join("\n") === [...other.keys()].join("\n");
}
