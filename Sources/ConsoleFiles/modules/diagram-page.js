import { post } from "./api.js";
import { openCreatePage } from "./create-frame.js";
import { el, fill, svg } from "./dom.js";
import { illegible } from "./illegible.js";
import { modelFragment } from "./outline.js";
import { emptyState, load } from "./states.js";
import { appendInParts } from "./table.js";

await openCreatePage("diagram", ({ draft, node }) => {
  if (draft.hasErrors || !draft.isLegible) return fill(node, illegible(draft));
  if (draft.models === 0) {
    return fill(node, emptyState("Nothing to draw", "The application has no models yet.",
      el("a", { class: "button primary", href: "/console/models" }, "Add a model")));
  }
  return load(node,
    () => draft.answer("diagram", () => post("diagram", { xml: draft.xml })), drawing);
});

/** Models as boxes that lead to their forms, and relations as lines. */
function drawing({ width, height, boxes, lines }) {
  return el("div", { class: "drawing", tabindex: "0", role: "region", "aria-label": "Diagram" },
    appendInParts(svg("svg", {
      width: width + 16, height: height + 16, viewBox: `-8 -8 ${width + 16} ${height + 16}`,
      role: "group", "aria-label": `The models ${named(boxes)}`,
    },
      lines.map((line) => svg("path", { class: "relation", d: line.path },
        svg("title", {}, `${line.model}.${line.field} belongs to ${line.target}`))),
      lines.map(({ endX, endY }) => svg("circle", { class: "end", cx: endX, cy: endY, r: 3 }))),
    boxes, box));
}

function box({ model, x, y, width, height, headHeight, rows }) {
  return svg("a", { href: `/console/models${modelFragment(model)}`, class: "box",
    "aria-label": `${model}: ${rows.map(spoken).join(", ")}` },
    svg("rect", { x, y, width, height, class: "frame" }),
    svg("text", { x: x + 12, y: y + headHeight / 2 + 5, class: "head" }, model),
    svg("path", { d: `M${x} ${y + headHeight}h${width}`, class: "rule" }),
    rows.map((row) => [
      svg("text", { x: x + 12, y: row.y + 4 }, row.label),
      svg("text", { x: x + width - 12, y: row.y + 4, class: "type" }, row.type),
    ]));
}

/** The names of the models; of very many, some and their number. */
function named(boxes) {
  const most = 20;
  const names = boxes.slice(0, most).map(({ model }) => model).join(", ");
  return boxes.length > most ? `${names} and ${boxes.length - most} more` : names;
}

/** A row as it is read aloud: the drawing marks what is required with an asterisk. */
function spoken({ label, type }) {
  return `${label.replace(/ \*$/, " required")} ${type}`;
}
