import { svg } from "./dom.js";

// Line drawings on a grid of 16 by 16.
const paths = {
  waggle: "M8 8C5 2 1 3 1 8s4 6 7 0 7-5 7 0-4 6-7 0z",
  menu: "M2 4h12M2 8h12M2 12h12",
  close: "M3 3l10 10M13 3L3 13",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  add: "M8 3v10M3 8h10",
  search: "M7 12A5 5 0 1 0 7 2a5 5 0 0 0 0 10zM11 11l3 3",
  undo: "M6 3L3 6l3 3M3 6h6a4 4 0 0 1 0 8H7",
  redo: "M10 3l3 3-3 3M13 6H7a4 4 0 0 0 0 8h2",
  theme: "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
  person: "M8 8a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 14c0-3 3-4 6-4s6 1 6 4",
  lock: "M3 7h10v7H3zM5 7V5a3 3 0 0 1 6 0v2",
};

/** An icon beside a text. Where there is no text, the control needs an `aria-label`. */
export function icon(name) {
  return svg("svg", { class: "icon", viewBox: "0 0 16 16", "aria-hidden": "true" },
    svg("path", { d: paths[name] ?? "" }));
}
