import { openCreatePage } from "./create-frame.js";
import { appendInParts, el, fill } from "./dom.js";

let area = null;
let waiting = null;
// The numbers of the lines, with the marks of problems. They scroll with the text.
const LINE = 20;
const lines = el("div", { class: "lines", "aria-hidden": "true" });
let lineCount = 0;
let marks = new Map();

function draw(page) {
  const { draft, node, attempt } = page;
  if (area === null) {
    area = el("textarea", {
      rows: 36, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      class: "source", "aria-label": "The definition as XML", "aria-describedby": "problems",
      value: draft.xml, onscroll: drawLines,
      // As one types, the compiler follows 250 ms later. The last text wins.
      oninput: () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => attempt(() => draft.replace(area.value)), 250);
      },
    });
    fill(node, el("div", { class: "beside" },
      el("div", { class: "lined" }, lines, area), el("section", {
      id: "problems", class: "panel", "aria-label": "Problems", "aria-live": "polite",
    })));
    goToLine();
    addEventListener("hashchange", goToLine);
  } else if (area !== document.activeElement && area.value !== draft.xml) {
    area.value = draft.xml;
  }
  drawProblems(draft);
  marks = marksOf(draft.diagnostics);
  lineCount = area.value.split("\n").length;
  drawLines();
}

/** The numbers of those lines that are to be seen: a text may have very many. */
function drawLines() {
  const first = Math.floor(area.scrollTop / LINE);
  const shown = Math.ceil(area.clientHeight / LINE) + 1;
  const last = Math.min(first + shown, lineCount);
  fill(lines, Array.from({ length: Math.max(0, last - first) }, (_, index) => {
    const line = first + index + 1;
    const mark = marks.get(line);
    return el("div", { class: mark ? "bad" : null }, mark ? `${mark} ${line}` : line);
  }));
  lines.scrollTop = area.scrollTop - first * LINE;
}

/** The mark of each line: that of an error, or else of a warning. */
function marksOf(diagnostics) {
  const found = new Map();
  for (const { line, severity } of diagnostics) {
    if (severity === "error" || !found.has(line)) found.set(line, severity === "error" ? "■" : "▲");
  }
  return found;
}

function drawProblems(draft) {
  fill(document.getElementById("problems"), draft.diagnostics.length === 0
    ? el("p", { class: "good" }, "✓ The compiler finds nothing to correct.")
    : appendInParts(el("ol", { class: "plain" }), draft.diagnostics, (found) =>
      el("li", {},
        el("p", { class: found.severity === "error" ? "bad" : null },
          found.severity === "error" ? "■ " : found.severity === "warning" ? "▲ " : "· ",
          el("a", { href: `#line-${found.line}` }, `line ${found.line}`), ": ", found.message,
          found.help && el("small", {}, ` ${found.help}`), " ",
          el("code", { class: "faint" }, found.id)))));
}

/** Selects the line in the fragment of the address, such as `#line-12`. */
function goToLine() {
  const number = Number(/^#line-(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (number === 0) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  area.scrollTop = Math.max(0, (number - 6) * LINE);
}

await openCreatePage("xml", draw);
