import { openCreatePage } from "./create-frame.js";
import { el, fill } from "./dom.js";

let area = null;
let waiting = null;

function draw(page) {
  const { draft, node, attempt } = page;
  if (area === null) {
    area = el("textarea", {
      rows: 36, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      class: "source", "aria-label": "The definition as XML", "aria-describedby": "problems",
      value: draft.xml,
      // As one types, the compiler follows 250 ms later. The last text wins.
      oninput: () => {
        clearTimeout(waiting);
        waiting = setTimeout(() => attempt(() => draft.replace(area.value)), 250);
      },
    });
    fill(node, el("div", { class: "beside" }, area, el("section", {
      id: "problems", class: "panel", "aria-label": "Problems", "aria-live": "polite",
    })));
    goToLine();
    addEventListener("hashchange", goToLine);
  } else if (area !== document.activeElement && area.value !== draft.xml) {
    area.value = draft.xml;
  }
  drawProblems(draft);
}

function drawProblems(draft) {
  fill(document.getElementById("problems"), draft.diagnostics.length === 0
    ? el("p", { class: "good" }, "✓ The compiler finds nothing to correct.")
    : el("ol", { class: "plain" }, draft.diagnostics.map((found) =>
      el("li", {},
        el("p", { class: found.severity === "error" ? "bad" : null },
          found.severity === "error" ? "■ " : found.severity === "warning" ? "▲ " : "· ",
          el("a", { href: `#line-${found.line}` }, `line ${found.line}`), ": ", found.message,
          found.help && el("small", {}, ` ${found.help}`), " ",
          el("code", { class: "faint" }, found.id))))));
}

/** Selects the line in the fragment of the address, such as `#line-12`. */
function goToLine() {
  const number = Number(/^#line-(\d+)$/.exec(location.hash)?.[1] ?? 0);
  if (number === 0) return;
  const lines = area.value.split("\n");
  const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
  area.focus();
  area.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
  area.scrollTop = Math.max(0, (number - 6) * 20);
}

await openCreatePage("xml", draw);
