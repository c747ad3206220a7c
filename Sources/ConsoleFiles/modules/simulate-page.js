// Random devices that play against the definition of the draft, on the server.
import { openCreatePage } from "./create-frame.js";
import { button, el, field, fill } from "./dom.js";
import { illegible } from "./illegible.js";
import { includes } from "./shell.js";
import { emptyState, errorText } from "./states.js";
import { simulate } from "./simulation.js";
import { outcome } from "./simulation-outcome.js";

let form = null;
const result = el("div", { role: "status" });

await openCreatePage("simulate", (page) => {
  const { draft, node, shell } = page;
  if (!includes(shell.operator, "designer")) {
    return fill(node, el("p", {}, "Only designers simulate: it takes the server's time."));
  }
  if (draft.hasErrors || !draft.isLegible) {
    form = null;
    return fill(node, illegible(draft));
  }
  if (draft.models === 0) {
    return fill(node, emptyState("Nothing to simulate", "The application has no models yet.",
      el("a", { class: "button primary", href: "/console/models" }, "Add a model")));
  }
  form ??= makeForm(page);
  if (!form.isConnected) fill(node, introduction(), form, result);
});

function introduction() {
  return el("p", {}, "Devices of several users edit records, offline for long, while requests are "
    + "lost, clocks jump and rights change. At the end everything is checked: nobody got what is "
    + "not theirs, and nothing that was confirmed is lost.");
}

function makeForm(page) {
  const number = (value, max) => el("input", {
    type: "number", min: 1, max, value, required: true, size: 6,
  });
  const devices = number(6, 20);
  const steps = number(300, 2000);
  const histories = number(20, 1000);
  const seed = number(1, 1_000_000_000);
  const start = el("button", { type: "submit", class: "primary" }, "Simulate");
  const stop = button("Stop", () => running?.abort(), { hidden: true });
  let running = null;
  return el("form", { "aria-label": "Simulation", onsubmit: async (event) => {
    event.preventDefault();
    running = new AbortController();
    start.disabled = true;
    stop.hidden = false;
    await run(page.draft.xml, {
      devices: Number(devices.value), steps: Number(steps.value), seed: Number(seed.value),
      histories: Number(histories.value),
    }, running.signal);
    start.disabled = false;
    stop.hidden = true;
    start.focus();
  } },
    el("div", { class: "row" },
      field("Devices", devices), field("Steps of a history", steps),
      field("Histories", histories),
      field("First seed", seed, { help: "The same seed gives the same history." })),
    el("div", { class: "buttons" }, start, stop));
}

async function run(xml, parameters, signal) {
  const bar = el("progress", { "aria-label": "Histories", max: parameters.histories, value: 0 });
  const text = el("p", {}, "Histories are played…");
  fill(result, bar, text);
  try {
    await simulate({ xml, ...parameters }, signal, (line) => {
      if (line.kind === "progress") {
        bar.value = line.histories;
        fill(text, `${line.histories} of ${line.of} histories, no violation yet`);
      } else if (line.kind === "shrinking") {
        fill(text, `A violation; the shortest history so far has ${line.steps} steps`);
      } else fill(result, outcome(line));
    });
  } catch (error) {
    fill(result, error.name === "AbortError"
      ? el("p", {}, "Stopped. What was played showed no violation.") : errorText(error));
  }
}
