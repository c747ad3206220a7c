// The text of the draft or, with `version` or `in` in the address, of a version to look at.
import { at, get } from "./api.js";
import { openCreatePage } from "./create-frame.js";
import { el, fill } from "./dom.js";
import { LinedText } from "./lined-text.js";
import { openShell } from "./shell.js";
import { load } from "./states.js";
import { appendInParts } from "./table.js";

let lined = null;
// The text that the area and the draft had together last: what was typed since is not overwritten.
let known = "";
// The text that the draft has not answered; null for none.
let sent = null;
let waiting = null;

const asked = new URLSearchParams(location.search);
if (asked.has("version") || asked.has("in")) await showVersion(asked);
else await openCreatePage("xml", draw);

function draw(page) {
  const { draft, node } = page;
  if (lined === null) open(page, node);
  else if (lined.area !== document.activeElement && lined.text === known && known !== draft.xml) {
    take(draft.xml);
  } else lined.count();
  drawProblems(draft);
  lined.mark(marksOf(draft.diagnostics));
}

function take(text) {
  known = text;
  lined.show(text);
}

/** As one types, the compiler follows 250 ms later. The last text wins. */
function open(page, node) {
  const send = () => {
    clearTimeout(waiting);
    // After a failure, "Try again" sends the text of that moment.
    return page.attempt(async () => {
      const { text } = lined;
      sent = text;
      try {
        await page.draft.replace(text);
        known = text;
      } finally {
        if (sent === text) sent = null;
      }
    });
  };
  lined = new LinedText("The definition as XML", {
    "aria-describedby": "problems", isLocked: !page.mayEdit,
    oninput: () => {
      clearTimeout(waiting);
      waiting = setTimeout(send, 250);
    },
  });
  page.draft.onleave(() => { if (![known, sent].includes(lined.text)) send(); });
  fill(node, el("div", { class: "beside" }, lined.node, el("section", {
    id: "problems", class: "panel", "aria-label": "Problems", "aria-live": "polite",
  })));
  take(page.draft.xml);
  lined.goToLine();
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

/** The text of a version, or of the one that an environment has. */
async function showVersion(parameters) {
  const shell = await openShell("xml");
  const environment = parameters.get("in");
  await load(shell.main, async () => {
    const number = parameters.get("version")
      ?? String((await get(at`environments/${environment}`)).version);
    return { number, text: await get(at`versions/${number}/source`) };
  }, ({ number, text }) => {
    lined = new LinedText(`Version ${number} as XML`, { isLocked: true });
    lined.show(text);
    return [el("p", {}, `Version ${number}`, environment && `, which ${environment} has`, ". ",
      el("a", { href: "/console/xml" }, "To the draft")), lined.node];
  }, () => lined.goToLine());
}
