// The definition that is being designed. Its text is the truth: each edit goes to the server, which
// changes only the bytes of the edit and tells what the compiler says of the result.
import { at, get, post, send } from "./api.js";
import { drafts } from "./drafts.js";

const undoLimit = 100;
const key = "waggle-draft";
// The compiler's answer for the text with a stamp. Rights are large, and few pages show them.
const checkedKey = "waggle-checked";
const rightsKey = "waggle-rights";

/**
 * A draft with its undo texts. The server has its text, with a revision for each write; the browser
 * keeps it too, so that nothing is lost while the server cannot be reached.
 */
export class Draft {
  #listeners = [];
  #queue = Promise.resolve();
  #timer = null;
  #storing = Promise.resolve();
  #pending = 0;
  #rights = null;
  #isRemembered = false;

  /** The stamp is another one for each text. */
  constructor({
    name, xml, revision = 0, isStored = false, undo = [], redo = [], stamp = crypto.randomUUID(),
  }) {
    Object.assign(this, { name, xml, revision, isStored, undo, redo, stamp });
    Object.assign(this, { checked: null, rival: null, newer: null });
  }

  /** A new draft, of which the compiler has said something. */
  static of(name, checked) {
    const draft = new Draft({ name, xml: checked.xml });
    draft.#take(checked);
    return draft;
  }

  get outline() { return this.checked?.outline ?? null; }
  get diagnostics() { return this.checked?.diagnostics ?? []; }
  get rights() { return this.#rights ??= JSON.parse(sessionStorage.getItem(rightsKey)); }
  get hasErrors() { return this.diagnostics.some(({ severity }) => severity === "error"); }
  /** Whether the server has all that was done, also what is under way. */
  get isSaved() { return this.isStored && this.#pending === 0; }
  get application() { return this.outline?.attributes.application ?? ""; }

  /** Calls a function after each change. */
  onchange(listener) { this.#listeners.push(listener); }

  /** Applies edits, one request after another. Throws what the server refuses. */
  edit(edits) {
    return this.#enqueue(() => ({ xml: this.xml, edits }), true);
  }

  /** Replaces the whole text, as the page of the XML does. */
  replace(xml, { keepsUndo = true } = {}) {
    return this.#enqueue(() => ({ xml, edits: [] }), keepsUndo);
  }

  #enqueue(body, keepsUndo) {
    this.#pending += 1;
    const run = this.#queue.then(() => post("edit", body())).finally(() => {
      this.#pending -= 1;
    }).then((checked) => {
      if (keepsUndo && checked.xml !== this.xml) this.#push();
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

  #take({ xml, rights, ...checked }) {
    this.isStored &&= xml === this.xml;
    this.xml = xml;
    this.stamp = crypto.randomUUID();
    this.checked = checked;
    this.#rights = rights;
    this.#isRemembered = false;
    this.save();
    this.#tell();
    requestIdleCallback(() => this.remember());
    this.#storeSoon();
  }

  /** Writes the text to the server a second after the last change. */
  #storeSoon() {
    clearTimeout(this.#timer);
    if (!this.isStored) this.#timer = setTimeout(() => this.store(), 1000);
  }

  /** Takes what the last page of this tab knew of the text. False if it knew another one. */
  recall() {
    const known = JSON.parse(sessionStorage.getItem(checkedKey));
    if (known?.stamp !== this.stamp) return false;
    this.checked = known.checked;
    this.#isRemembered = true;
    this.#storeSoon();
    return true;
  }

  /** Keeps for the next page what the compiler said: of many models that takes long to ask. */
  remember() {
    if (this.#isRemembered) return;
    this.#isRemembered = true;
    try {
      sessionStorage.setItem(rightsKey, JSON.stringify(this.#rights));
      sessionStorage.setItem(checkedKey,
        JSON.stringify({ stamp: this.stamp, checked: this.checked }));
    } catch {
      sessionStorage.removeItem(checkedKey);
    }
  }

  /**
   * The answer of `ask` to a question about the present text. The browser keeps it for the next
   * pages of this tab, one for each name.
   */
  async answer(name, ask) {
    const { stamp } = this;
    const place = `waggle-answer ${name}`;
    const known = JSON.parse(sessionStorage.getItem(place));
    if (known?.stamp === stamp) return known.value;
    const value = await ask();
    try {
      sessionStorage.setItem(place, JSON.stringify({ stamp, value }));
    } catch {
      // There is no room for it: the next page asks again.
      sessionStorage.removeItem(place);
    }
    return value;
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }

  /** Writes the text to the server, unless somebody else has written since: see `rival`. */
  store() {
    clearTimeout(this.#timer);
    this.#storing = this.#storing.then(() => this.#storeOnce());
    return this.#storing;
  }

  /** The server has told of a revision: `newer` is it, if it is not one's own. */
  async hear({ revision, author }) {
    await this.#storing;
    const isNew = revision !== this.revision && revision !== 0;
    this.newer = isNew ? { revision, author } : null;
    this.#tell();
  }

  async #storeOnce() {
    const { xml, revision } = this;
    try {
      const { value } = await send("PUT", at`drafts/${this.name}`,
        { body: { xml }, ifMatch: revision > 0 ? `"${revision}"` : undefined });
      this.revision = value.revision;
      this.isStored = xml === this.xml;
      this.rival = null;
      this.newer = null;
    } catch (error) {
      this.rival = error;
    }
    this.save();
    this.#tell();
  }

  /** Takes the text of the server. Undo leads back to one's own. */
  async takeTheirs() {
    const theirs = await get(at`drafts/${this.name}`);
    this.revision = theirs.revision;
    this.rival = null;
    this.newer = null;
    clearTimeout(this.#timer);
    await this.replace(theirs.xml);
    clearTimeout(this.#timer);
    this.isStored = true;
    this.save();
    this.#tell();
  }

  /** Writes one's own text on top of that of the server. */
  async keepMine() {
    const theirs = await get(at`drafts/${this.name}`).catch((error) => {
      if (error.code === "draftUnknown") return { revision: 0 };
      throw error;
    });
    this.revision = theirs.revision;
    await this.store();
  }

  /** Keeps text and undo texts; of these fewer, if the browser has no room for all. */
  save() {
    for (let count = this.undo.length; ; count = Math.floor(count / 2)) {
      try {
        const undo = count > 0 ? this.undo.slice(-count) : [];
        localStorage.setItem(key, JSON.stringify({
          name: this.name, xml: this.xml, revision: this.revision, isStored: this.isStored,
          stamp: this.stamp, undo,
        }));
        return;
      } catch (error) {
        if (count === 0) throw error;
      }
    }
  }
}

/** The present draft, checked, as the server has it; null without one. `known` are its drafts. */
export async function openDraft(known) {
  const stored = localStorage.getItem(key);
  if (!stored) return null;
  const draft = new Draft(JSON.parse(stored));
  if (draft.isStored) {
    const theirs = known.find(({ name }) => name === draft.name);
    if (theirs && theirs.revision !== draft.revision) await draft.takeTheirs();
    if (!theirs) draft.isStored = false;
  }
  if (draft.checked === null && !draft.recall()) {
    await draft.replace(draft.xml, { keepsUndo: false });
  }
  addEventListener("pagehide", () => draft.remember());
  return draft;
}

/** Begins a draft with a text. It gets a name that no other draft has. */
export async function beginDraft(xml) {
  const checked = await post("edit", { xml, edits: [] });
  const application = checked.outline?.attributes.application ?? "";
  const start = /^[\w.-]{1,60}$/.test(application) ? application : "draft";
  const names = new Set((await drafts()).map((draft) => draft.name));
  let name = start;
  for (let number = 2; names.has(name); number += 1) name = `${start}-${number}`;
  const draft = Draft.of(name, checked);
  draft.remember();
  await draft.store();
}

/** Goes on with a draft of the server. */
export async function continueDraft(name) {
  const { xml, revision } = await get(at`drafts/${name}`);
  const draft = new Draft({ name, xml, revision, isStored: true });
  draft.save();
}
