// The definition that is being designed. Its text is the truth: each edit goes to the server, which
// changes only the bytes of the edit and tells what the compiler says of the result.
import { get, list, post, at } from "./api.js";

const undoLimit = 100;
const key = "waggle-draft";

/** A draft with its undo texts. It is kept in this browser until it is a version or deployed. */
export class Draft {
  #listeners = [];
  #queue = Promise.resolve();

  constructor({ xml, undo = [], redo = [], checked = null }) {
    Object.assign(this, { xml, undo, redo, checked });
  }

  get outline() { return this.checked?.outline ?? null; }
  get diagnostics() { return this.checked?.diagnostics ?? []; }
  get rights() { return this.checked?.rights ?? null; }
  get hasErrors() { return this.diagnostics.some(({ severity }) => severity === "error"); }
  get application() { return this.outline?.attributes.application ?? ""; }

  /** Calls a function after each change. */
  onchange(listener) { this.#listeners.push(listener); }

  /** Applies edits, one request after another. Throws what the server refuses. */
  edit(edits) {
    const run = this.#queue.then(async () => {
      const checked = await post("edit", { xml: this.xml, edits });
      if (checked.xml !== this.xml) this.#push();
      this.#take(checked);
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  /** Replaces the whole text, as the page of the XML does. */
  replace(xml, { keepsUndo = true } = {}) {
    const run = this.#queue.then(async () => {
      const checked = await post("edit", { xml, edits: [] });
      if (keepsUndo && xml !== this.xml) this.#push();
      this.#take(checked);
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  async undoOnce() {
    const xml = this.undo.pop();
    if (xml === undefined) return;
    this.redo.push(this.xml);
    await this.replace(xml, { keepsUndo: false });
  }

  async redoOnce() {
    const xml = this.redo.pop();
    if (xml === undefined) return;
    this.undo.push(this.xml);
    await this.replace(xml, { keepsUndo: false });
  }

  #push() {
    this.undo = [...this.undo, this.xml].slice(-undoLimit);
    this.redo = [];
  }

  #take(checked) {
    this.xml = checked.xml;
    this.checked = checked;
    this.save();
    for (const listener of this.#listeners) listener();
  }

  /** Keeps text and undo texts; of these fewer, if the browser has no room for all. */
  save() {
    for (let count = this.undo.length; ; count = Math.floor(count / 2)) {
      try {
        const undo = count > 0 ? this.undo.slice(-count) : [];
        localStorage.setItem(key, JSON.stringify({ xml: this.xml, undo, redo: [] }));
        return;
      } catch (error) {
        if (count === 0) throw error;
      }
    }
  }
}

/** The present draft, checked; null without one. */
export async function openDraft() {
  const stored = localStorage.getItem(key);
  if (!stored) return null;
  const draft = new Draft(JSON.parse(stored));
  await draft.replace(draft.xml, { keepsUndo: false });
  return draft;
}

/** Begins a draft with a text, in place of the present one, to which undo leads back. */
export async function beginDraft(xml) {
  const stored = localStorage.getItem(key);
  const draft = stored ? new Draft(JSON.parse(stored)) : new Draft({ xml });
  await draft.replace(xml);
  return draft;
}

/** The text of the newest version; null without one. */
export async function newestVersion() {
  const [version] = await list("versions", 1);
  if (!version) return null;
  const xml = await get(at`versions/${version.number}/source`);
  return { version, xml };
}
