// The frame of the pages that show the draft: problems, undo and redo, and deploying to Test.
import { deployToTest } from "./deploy.js";
import { openDraft } from "./draft.js";
import { button, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { includes, openShell } from "./shell.js";
import { emptyState, errorState, errorText } from "./states.js";

/**
 * Opens a page of the draft. `draw(draft, node, shell)` fills the node, at first and after each
 * change; a field that has the focus keeps it, by its `data-key`.
 */
export async function openCreatePage(name, draw) {
  const shell = await openShell(name);
  const content = el("div", {});
  let draft = null;
  try {
    draft = await openDraft();
  } catch (error) {
    fill(shell.main, errorState(error, () => location.reload()));
    return;
  }
  if (draft === null) {
    fill(shell.main, emptyState("No application yet",
      "An application has models, rights and roles. Begin with an example or an empty one.",
      el("a", { class: "button primary", href: "/console/" }, "Begin")));
    return;
  }
  const tools = el("div", { class: "toolbar", role: "toolbar", "aria-label": "Draft" });
  const failure = el("div", { role: "alert" });
  const rival = el("div", {});
  fill(shell.main, tools, rival, failure, content);
  const attempt = async (action) => {
    fill(failure);
    try {
      await action();
    } catch (error) {
      fill(failure, errorState(error));
    }
  };
  const page = { draft, shell, node: content, attempt, edit: (edits) =>
    attempt(() => draft.edit(edits)) };
  const redraw = () => {
    drawTools(tools, page);
    fill(rival, draft.rival && rivalLine(page));
    keepingFocus(content, () => draw(page));
  };
  draft.onchange(redraw);
  redraw();
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || isTyping(event.target)) return;
    const pressed = event.key.toLowerCase();
    if (pressed === "z" && !event.shiftKey) attempt(() => draft.undoOnce());
    else if (pressed === "y" || pressed === "z") attempt(() => draft.redoOnce());
    else return;
    event.preventDefault();
  });
}

/** Why the draft could not be saved. Nothing is overwritten without a choice. */
function rivalLine({ draft, attempt }) {
  return el("section", { class: "error", role: "alert" }, errorText(draft.rival),
    el("div", { class: "buttons" }, draft.rival.code === "draftStale"
      ? [button("Take theirs", () => attempt(() => draft.takeTheirs())),
        button("Keep mine", () => attempt(() => draft.keepMine()))]
      : button("Try again", () => draft.store())));
}

function isTyping(node) {
  return ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName);
}

function drawTools(tools, { draft, shell, attempt }) {
  const count = (severity) => draft.diagnostics.filter((found) =>
    found.severity === severity).length;
  const [errors, warnings] = [count("error"), count("warning")];
  const verdict = errors > 0 ? ["bad", `■ ${errors} to correct`]
    : warnings > 0 ? ["", `▲ ${warnings} to consider`] : ["good", "✓ checked"];
  fill(tools,
    el("strong", {}, draft.application),
    el("small", {}, draft.isStored ? "saved" : draft.rival ? "not saved" : "saving…"),
    el("span", { role: "status" },
      el("a", { class: verdict[0], href: "/console/xml" }, verdict[1])),
    button([icon("undo"), "Undo"], () => attempt(() => draft.undoOnce()), {
      kind: "quiet", disabled: draft.undo.length === 0, "aria-keyshortcuts": "Control+Z",
    }),
    button([icon("redo"), "Redo"], () => attempt(() => draft.redoOnce()), {
      kind: "quiet", disabled: draft.redo.length === 0, "aria-keyshortcuts": "Control+Y",
    }),
    includes(shell.operator, "designer") && button("Deploy to Test",
      () => attempt(() => deployToTest(draft)), {
        kind: "primary", disabled: draft.hasErrors,
      }));
}

/** Draws, and gives the focus and the selection back to what had them. */
function keepingFocus(node, draw) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const key = active?.closest("[data-key]")?.dataset.key;
  const selection = active && "selectionStart" in active && active.type !== "checkbox"
    ? [active.selectionStart, active.selectionEnd] : null;
  const text = active && ["INPUT", "TEXTAREA"].includes(active.tagName)
    && active.type !== "checkbox" ? active.value : null;
  draw();
  if (!key) return;
  const next = node.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (!next) return;
  next.focus({ preventScroll: true });
  if (text !== null) next.value = text;
  if (selection && selection[0] !== null) {
    try {
      next.setSelectionRange(...selection);
    } catch (error) {
      if (error.name !== "InvalidStateError") throw error;
    }
  }
}

/** The diagnostics of a place, as lines below it. They link to their line of the XML. */
export function problems(diagnostics) {
  return diagnostics.length > 0 && el("ul", { class: "plain problems" },
    diagnostics.map((found) => el("li", { class: found.severity === "error" ? "bad" : null },
      found.severity === "error" ? "■ " : "▲ ", found.message, " ",
      el("a", { href: `/console/xml#line-${found.line}` }, `line ${found.line}`),
      found.help && el("small", {}, ` ${found.help}`))));
}
