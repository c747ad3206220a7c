// Tables and other lists, which may be very long.
import { el, present } from "./dom.js";

// More than a window has room for, and what the browser does without a break.
const [FIRST, PART] = [40, 100];

/**
 * Appends what `make(item, index)` makes of each item: the `first` ones at once, so that the page
 * can be used, and the others whenever the browser has nothing else to do.
 */
export function appendInParts(node, items, make, first = FIRST) {
  // A list that is filled anew meanwhile gets no more of the old items.
  const turn = {};
  node.parts = turn;
  const append = (start, count) => node.append(...present(items.slice(start, start + count)
    .map((item, index) => make(item, start + index))));
  const more = (start) => requestIdleCallback(() => {
    if (!node.isConnected || node.parts !== turn) return;
    append(start, PART);
    if (start + PART < items.length) more(start + PART);
  });
  append(0, first);
  if (items.length > first) more(first);
  return node;
}

/**
 * A table with hairlines. `columns` are `{title, cell(row), kind}`, where `kind` is empty, `name`,
 * `number` or `actions`; a cell is a node or a text. Below 600 px each row becomes a list. The
 * `first` rows are there at once, if they are many: they were shown before more of them came.
 */
export function table(caption, columns, rows, first = 0) {
  return el("div", { class: "table", role: "region", "aria-label": caption, tabindex: "0" },
    el("table", {},
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, columns.map((column) => column.title === ""
        ? el("td", {}) : el("th", { scope: "col", class: column.kind }, column.title)))),
      appendInParts(el("tbody", {}), rows, (row) => el("tr", {}, columns.map((column) =>
        el("td", { class: column.kind, dataset: { title: column.title } },
          column.cell(row)))), Math.max(FIRST, first))));
}
