// Charts of a number over time. Geometry stands in attributes: the pages allow no inline style.
import { el, fill, freshID, svg } from "./dom.js";
import { measured } from "./metric-series.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const [WIDTH, HEIGHT, MARGIN] = [320, 64, 4];

/**
 * A section with a line from the first moment to the last, and its readings as a table, made when
 * it is opened. `unit` says what the values are, or is empty; `measure` is that of `measured`.
 * `node.show(moments, points)` draws; a point is a number, or null for a gap.
 */
export function chart({ title, help, unit, measure }) {
  const [titleID, textID] = [freshID("chart"), freshID("chart")];
  const text = svg("desc", { id: textID });
  const path = svg("path", { class: "line" });
  const summary = el("p", { class: "faint" });
  const rows = el("div", {});
  let shown = { moments: [], points: [] };
  const details = el("details", {
    ontoggle: () => fill(rows, details.open && readings({ title, unit, measure }, shown)),
  }, el("summary", {}, "As a table"), rows);
  const drawing = svg("svg", {
    viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "none", role: "img",
    "aria-labelledby": titleID, "aria-describedby": textID,
  },
    svg("title", { id: titleID }, title), text,
    svg("path", { class: "axis", d: `M0 ${HEIGHT - MARGIN}H${WIDTH}` }), path);
  const node = el("section", { class: "chart" },
    el("h3", {}, title), el("p", { class: "faint" }, help), drawing, summary, details);
  node.show = (moments, points) => {
    shown = { moments, points };
    path.setAttribute("d", line(moments, points));
    // A line of one point is none to see.
    drawing.toggleAttribute("hidden", points.filter((point) => point !== null).length < 2);
    const sentence = said(points, unit, measure);
    fill(text, sentence);
    fill(summary, sentence);
  };
  return node;
}

/** A path through the points, over their times, from zero or the least up to the most. */
function line(moments, points) {
  const numbers = points.filter((point) => point !== null);
  if (numbers.length === 0) return "";
  const [least, most] = [Math.min(0, ...numbers), Math.max(0, ...numbers)];
  const start = moments[0].seconds;
  const length = moments.at(-1).seconds - start || 1;
  const place = (index) => {
    const x = (moments[index].seconds - start) / length * WIDTH;
    const y = (points[index] - least) / (most - least || 1) * (HEIGHT - 2 * MARGIN);
    return `${x.toFixed(1)} ${(HEIGHT - MARGIN - y).toFixed(1)}`;
  };
  return points.map((point, index) => {
    if (point === null) return "";
    const isJoined = index > 0 && points[index - 1] !== null;
    return isJoined ? `L${place(index)}` : `M${place(index)}h0.1`;
  }).join("");
}

function said(points, unit, measure) {
  const numbers = points.filter((point) => point !== null);
  if (numbers.length === 0) return "Nothing to draw yet.";
  const text = (number) => measured(number, measure);
  const last = points.at(-1);
  const [least, most] = [Math.min(...numbers), Math.max(...numbers)];
  const range = least < most ? `${text(least)} to ${text(most)}`
    : numbers.length > 1 ? "all the time" : "";
  return [last === null ? "Nothing now" : `${text(last)} now`, range].filter(Boolean).join(", ")
    + `${unit && `; ${unit}`}.`;
}

function readings({ title, unit, measure }, { moments, points }) {
  const rows = moments.map(({ at }, index) => ({ at, point: points[index] })).reverse();
  return table(`Readings of ${title}`, [
    { title: "When", cell: ({ at }) => moment(at) },
    { title: unit ? `Value (${unit})` : "Value", kind: "number", cell: ({ point }) =>
      (point === null ? "none" : measured(point, measure)) },
  ], rows);
}
