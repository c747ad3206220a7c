import { button, el, fill } from "./dom.js";
import { keepingFocus } from "./focus.js";
import { deployedLine, presentEnvironment } from "./pages.js";

/** The text of an empty place, with one button or link. */
export function emptyState(title, text, action = null) {
  return el("section", { class: "empty" }, el("h2", {}, title), el("p", {}, text), action);
}

/**
 * An error in a line or two: its message, its help and its code. One with a `line` is a refusal by
 * a rule of the definition that this page's environment has, and leads there.
 */
export function errorText(error) {
  const message = error.message || "something went wrong";
  return el("p", { class: "error-text" },
    el("strong", {}, "■ ", message.charAt(0).toUpperCase() + message.slice(1), "."),
    error.help && ` ${error.help.charAt(0).toUpperCase()}${error.help.slice(1)}.`,
    error.line && [" The rule is in ", el("a", {
      href: deployedLine(presentEnvironment(), error.line),
    }, `application.xml, line ${error.line}`), "."],
    error.code && el("code", {}, error.code));
}

/** An error in the place of what could not be shown. */
export function errorState(error, again = null) {
  return el("section", { class: "error", role: "alert" },
    errorText(error), again && button("Try again", again));
}

/** Says that a list has changed since it was read. The rows stay until somebody asks. */
export function staleLine(text, show) {
  return el("p", { class: "stale", role: "status" }, text, " ",
    button("Show", show, { kind: "quiet" }));
}

/**
 * Shows what `read` returns by `draw` in a node: nothing for 300 ms, then still lines, then the
 * contents or the error. A later call for the same node wins. `begin` goes on with the contents, at
 * each time that they are there.
 */
export async function load(node, read, draw, begin = null) {
  const turn = (node.turn ?? 0) + 1;
  node.turn = turn;
  node.setAttribute("aria-busy", "true");
  const lines = setTimeout(() => {
    if (node.turn === turn && !node.hasChildNodes()) fill(node, stillLines());
  }, 300);
  try {
    const value = await read();
    const contents = node.turn === turn ? await draw(value) : null;
    if (node.turn !== turn) return;
    keepingFocus(node, () => fill(node, contents));
    await begin?.(value);
  } catch (error) {
    if (error.name !== "AbortError" && node.turn === turn) {
      fill(node, errorState(error, () => load(node, read, draw, begin)));
    }
  } finally {
    clearTimeout(lines);
    if (node.turn === turn) node.removeAttribute("aria-busy");
  }
}

function stillLines() {
  return el("div", { class: "still", "aria-hidden": "true" },
    Array.from({ length: 6 }, () => el("span", {})));
}

/** Tells of a success for some seconds. Errors are shown where they happened instead. */
export function toast(text) {
  let place = document.getElementById("toasts");
  if (!place) {
    place = el("div", { id: "toasts", role: "status" });
    document.body.append(place);
  }
  const note = el("p", {}, text);
  place.append(note);
  setTimeout(() => note.remove(), 6000);
}
