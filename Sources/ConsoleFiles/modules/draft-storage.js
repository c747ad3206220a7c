// The browser keeps drafts in parts. Each part is read only where it is needed: a text may be long.
//
// All tabs share the text of each draft, its state and the changes that undo takes back. Each tab
// has what the compiler said, and the steps that the server has not answered.

const place = (part, name) => `waggle-${part} ${name}`;
const presentPlace = "waggle-present";
const parts = ["text", "draft", "undo"];

/** The name of the draft that the pages show; null for none. */
export const presentDraft = () => localStorage.getItem(presentPlace);

/** Makes a draft the one that the pages show; null for none. */
export function setPresentDraft(name) {
  if (name === null) localStorage.removeItem(presentPlace);
  else localStorage.setItem(presentPlace, name);
}

/** `{revision, isStored, stamp}` of a draft; null if the browser has none of that name. */
export const draftState = (name) => JSON.parse(localStorage.getItem(place("draft", name)));

/** Throws if another tab has removed the draft. */
export function draftText(name) {
  const text = localStorage.getItem(place("text", name));
  if (text === null) throw new Error("the browser has no longer this draft");
  return text;
}

/**
 * Keeps a draft. For its sake the browser forgets how to undo, and other drafts that the server
 * has, if it has no room for all.
 */
export function keepDraft(name, xml, state) {
  const write = () => {
    localStorage.setItem(place("text", name), xml);
    localStorage.setItem(place("draft", name), JSON.stringify(state));
  };
  try {
    write();
  } catch {
    for (const each of localDrafts()) {
      if (each.isStored && each.name !== name) forgetDraft(each.name);
      else localStorage.removeItem(place("undo", each.name));
    }
    write();
  }
}

export function forgetDraft(name) {
  for (const part of parts) localStorage.removeItem(place(part, name));
  sessionStorage.removeItem(place("steps", name));
  if (presentDraft() === name) setPresentDraft(null);
}

/** All drafts that the browser keeps, with their states. */
export function localDrafts() {
  const start = place("draft", "");
  return Object.keys(localStorage).filter((each) => each.startsWith(start))
    .map((each) => each.slice(start.length)).map((name) => ({ name, ...draftState(name) }));
}

/** The changes that undo and redo go through, `{undo, redo}`, of the text with this stamp. */
export function draftHistory(name, stamp) {
  const kept = JSON.parse(localStorage.getItem(place("undo", name)));
  return kept?.stamp === stamp ? kept : { undo: [], redo: [] };
}

/** Keeps the changes; fewer, if the browser has no room for all. */
export function keepHistory(name, stamp, { undo, redo }) {
  for (let count = undo.length; ; count = Math.floor(count / 2)) {
    try {
      localStorage.setItem(place("undo", name),
        JSON.stringify({ stamp, undo: count > 0 ? undo.slice(-count) : [], redo }));
      return;
    } catch {
      if (count === 0) return localStorage.removeItem(place("undo", name));
    }
  }
}

/** The steps of this tab that the server has not answered. */
export const unansweredSteps = (name) =>
  JSON.parse(sessionStorage.getItem(place("steps", name)) ?? "[]");

export function keepSteps(name, steps) {
  try {
    if (steps.length > 0) sessionStorage.setItem(place("steps", name), JSON.stringify(steps));
    else sessionStorage.removeItem(place("steps", name));
  } catch {
    // There is no room: they are lost if the page is left before they are answered.
    sessionStorage.removeItem(place("steps", name));
  }
}
