// The frame of the pages that show the draft: problems, undo and redo, and deploying to Test.
import { deployToTest } from "./deploy.js";
import { followDraft } from "./designers.js";
import { button, el, fill } from "./dom.js";
import { openDraft } from "./open-draft.js";
import { drafts } from "./drafts.js";
import { keepingFocus } from "./focus.js";
import { whenReleased } from "./held-button.js";
import { icon } from "./icons.js";
import { includes, openShell } from "./shell.js";
import { emptyState, errorState, errorText, staleLine } from "./states.js";

/**
 * Opens a page of the draft. `draw(page)` fills the node of the page, at first and after each
 * change; a field that has the focus keeps it, by its `data-key`. `page.forms` is for what changes
 * the draft, which only designers may. With `withoutDraft` the page is drawn without one too.
 */
export async function openCreatePage(name, draw, { withoutDraft = false } = {}) {
  const known = drafts({ quietly: true });
  // An operator who is not signed in leaves the page instead.
  known.catch(() => {});
  const shell = await openShell(name);
  const content = el("div", {});
  const mayEdit = includes(shell.operator, "designer");
  let draft = null;
  shell.main.setAttribute("aria-busy", "true");
  try {
    draft = await openDraft(await known, mayEdit);
  } catch (error) {
    fill(shell.main, errorState(error, () => location.reload()));
    return;
  } finally {
    shell.main.removeAttribute("aria-busy");
  }
  if (draft === null && !withoutDraft) {
    fill(shell.main, emptyState("No application yet",
      "An application has models, rights and roles. Begin with an example or an empty one.",
      el("a", { class: "button primary", href: "/console/" }, "Begin")));
    return;
  }
  const tools = el("div", { class: "toolbar", role: "toolbar", "aria-label": "Draft" });
  const failure = el("div", { role: "alert" });
  const rival = el("div", {});
  fill(shell.main, draft && tools, draft && !mayEdit && el("p", { class: "notice" },
    "Only designers change a draft: you look at it."), rival, failure, content);
  // An action that failed is begun again with what is typed then.
  const attempt = async (action) => {
    fill(failure);
    const redrawTools = () => draft && whenReleased(() => drawTools(tools, page));
    try {
      const done = action();
      redrawTools();
      await done;
    } catch (error) {
      fill(failure, errorState(error, () => attempt(action)));
      redrawTools();
    }
  };
  const page = {
    draft, shell, node: content, attempt, mayEdit,
    edit: (edits) => attempt(() => draft.edit(edits)),
    forms: (...nodes) => (mayEdit ? nodes : el("fieldset", { disabled: true }, nodes)),
  };
  if (draft === null) return draw(page);
  // The page stays as it is while nothing but the state of the draft changes: a menu may be open.
  let drawn = null;
  const redraw = () => {
    drawTools(tools, page);
    fill(rival, draft.rival ? rivalLine(page) : draft.newer && draft.isStored && newerLine(page));
    if (drawn === draft.checked) return;
    drawn = draft.checked;
    keepingFocus(content, () => draw(page));
  };
  draft.onchange(() => whenReleased(redraw));
  redraw();
  if (draft.refusal) fill(failure, errorState(draft.refusal));
  followDraft(draft.name, {
    designers: (names) => {
      page.others = names.filter((each) => each !== shell.operator.name);
      whenReleased(() => drawTools(tools, page));
    },
    written: (told) => draft.hear(told),
  });
  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || !mayEdit || isTyping(event.target)) return;
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

/** Somebody else has changed the draft, and nothing of one's own is unsaved. */
function newerLine({ draft, attempt }) {
  const { author } = draft.newer;
  return staleLine(author ? `${author} has changed this draft.` : "The file has changed.",
    () => attempt(() => draft.takeTheirs()));
}

function isTyping(node) {
  return ["INPUT", "TEXTAREA", "SELECT"].includes(node.tagName);
}

function drawTools(tools, { draft, attempt, mayEdit, others = [] }) {
  const { errors, warnings } = draft;
  const verdict = errors > 0 ? ["bad", `■ ${errors} to correct`]
    : warnings > 0 ? ["", `▲ ${warnings} to consider`] : ["good", "✓ checked"];
  keepingFocus(tools, () => fill(tools,
    el("strong", {}, draft.application),
    el("small", {}, draft.isSaved ? "saved" : draft.rival ? "not saved" : "saving…"),
    others.length > 0 && el("small", { role: "status" },
      `${others.join(", ")} ${others.length > 1 ? "design" : "designs"} it too`),
    el("span", { role: "status" },
      el("a", { class: verdict[0], href: "/console/xml" }, verdict[1])),
    mayEdit && [
      button([icon("undo"), "Undo"], () => attempt(() => draft.undoOnce()), {
        kind: "quiet", disabled: draft.undo.length === 0, "aria-keyshortcuts": "Control+Z",
        dataset: { key: "undo" },
      }),
      button([icon("redo"), "Redo"], () => attempt(() => draft.redoOnce()), {
        kind: "quiet", disabled: draft.redo.length === 0, "aria-keyshortcuts": "Control+Y",
        dataset: { key: "redo" },
      }),
      button("Deploy to Test", () => attempt(() => deployToTest(draft)), {
        kind: "primary", disabled: draft.hasErrors, dataset: { key: "deploy" },
      })]));
}

/** The diagnostics of a place, as lines below it. They link to their line of the XML. */
export function problems(diagnostics) {
  return diagnostics.length > 0 && el("ul", { class: "plain problems" },
    diagnostics.map((found) => el("li", { class: found.severity === "error" ? "bad" : null },
      found.severity === "error" ? "■ " : "▲ ", found.message, " ",
      el("a", { href: `/console/xml#line-${found.line}` }, `line ${found.line}`),
      found.help && el("small", {}, ` ${found.help}`))));
}
