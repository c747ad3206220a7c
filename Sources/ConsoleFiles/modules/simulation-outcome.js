import { el } from "./dom.js";

/** The result of a simulation: what was played, or the shortest history with a violation. */
export function outcome(line) {
  return line.violated ? violation(line) : success(line);
}

function success({ text, whole, histories }) {
  return el("section", { "aria-label": "Result" },
    el("p", { class: "large good" }, "✓ No violation"),
    !whole && el("p", {}, `The time was over after ${histories} histories.`),
    el("pre", {}, text));
}

function violation({ guarantee, seed, steps, finding, again }) {
  return el("section", { "aria-label": "Result" },
    el("p", { class: "large bad" }, "■ A guarantee is violated"),
    el("p", {}, `The seed ${seed} violates the guarantee that ${guarantee}.`),
    el("h2", {}, `The shortest history with this violation: ${steps.length} steps`),
    el("ol", {}, steps.map((step) => el("li", {}, step))),
    el("p", {}, "Then all devices sync until nothing changes. Found: ", el("strong", {}, finding)),
    el("p", {}, "To repeat it: ", el("code", {}, again)));
}
