// The definition that is being designed. Its text is the truth: each edit goes to the server, which
// changes only the bytes of the edit and tells what the compiler says of the result.
import { at, get, post, send } from "./api.js";
import { Checked } from "./checked.js";
import {
  draftHistory, draftState, draftText, keepDraft, keepHistory, keepSteps, localDrafts, presentDraft,
  setPresentDraft, unansweredSteps,
} from "./draft-storage.js";
import { drafts } from "./drafts.js";
import { textAfter, textBefore, textChange } from "./text-change.js";

const undoLimit = 100;

/**
 * A draft with the changes that undo takes back. The server has its text, with a revision for each
 * write; the browser keeps it too, so that nothing is lost while the server cannot be reached.
 */
export class Draft {
  #listeners = [];
  #leavers = [];
  #queue = Promise.resolve();
  #timer = null;
  #storing = Promise.resolve();
  // The steps whose answers have not come: `{edits}`, `{xml, keepsUndo}` or `{turn}`.
  #steps = [];
  // Those that the last page of this tab did not see answered.
  #missed;
  #text;
  #history = null;
  #isRemembered = false;
  #isLeft = false;

  /** The stamp is another one for each text. Without a text the browser has it. */
  constructor(name, { revision = 0, isStored = false, stamp = crypto.randomUUID() }, text = null) {
    Object.assign(this, { name, revision, isStored, stamp });
    Object.assign(this, { checked: null, rival: null, newer: null, refusal: null });
    this.mayStore = true;
    this.#missed = unansweredSteps(name);
    this.#text = text;
  }

  get xml() { return this.#text ??= draftText(this.name); }
  get outline() { return this.checked?.outline ?? null; }
  get diagnostics() { return this.checked?.diagnostics ?? []; }
  get rights() { return this.checked?.rights ?? null; }
  /** Whether the text is well-formed, so that forms can show and change it. */
  get isLegible() { return this.checked?.isLegible ?? false; }
  get errors() { return this.checked?.errors ?? 0; }
  get warnings() { return this.checked?.warnings ?? 0; }
  get hasErrors() { return this.errors > 0; }
  /** Whether the server has all that was done, also what is under way. */
  get isSaved() { return this.isStored && this.#steps.length === 0; }
  get application() { return this.checked?.application ?? ""; }
  get vendor() { return this.checked?.vendor ?? ""; }
  get undo() { return this.#changes.undo; }
  get redo() { return this.#changes.redo; }
  get #changes() { return this.#history ??= draftHistory(this.name, this.stamp); }

  /** Calls a function after each change. */
  onchange(listener) { this.#listeners.push(listener); }

  /** Calls a function when the page is left: what it does is kept for the next one. */
  onleave(listener) { this.#leavers.push(listener); }

  /** Applies edits, one request after another. Throws what the server refuses. */
  edit(edits) { return this.#enqueue({ edits }); }

  /** Replaces the whole text, as the page of the XML does. */
  replace(xml, { keepsUndo = true } = {}) { return this.#enqueue({ xml, keepsUndo }); }

  undoOnce() { return this.#enqueue({ turn: "undo" }); }

  redoOnce() { return this.#enqueue({ turn: "redo" }); }

  /** A step is kept until it is answered: the page may be left before. */
  #enqueue(step) {
    this.#steps.push(step);
    this.#keepSteps();
    const run = this.#queue.then(() => this.#take(step)).finally(() => {
      this.#steps.splice(this.#steps.indexOf(step), 1);
      this.#keepSteps();
      this.#tell();
    });
    this.#queue = run.catch(() => {});
    return run;
  }

  /** Waits until all steps are answered. */
  settled() { return this.#queue; }

  /** Requests that the browser ends with the page are no answers. */
  #keepSteps() {
    if (!this.#isLeft) keepSteps(this.name, [...this.#steps, ...this.#missed]);
  }

  /** Takes the steps that the last page of this tab did not see answered. */
  async catchUp() {
    while (this.#missed.length > 0) {
      await this.#enqueue(this.#missed.shift()).catch((error) => { this.refusal = error; });
    }
  }

  /** The changes of undo follow the text: both are other ones once the answer is there. */
  async #take(step) {
    const { xml } = this;
    if (step.turn) return this.#turn(step.turn);
    const checked = await post("edit", step.edits ? { xml, edits: step.edits }
      : { xml: step.xml, edits: [] });
    if (step.keepsUndo !== false && checked.xml !== xml) {
      this.#history = {
        undo: [...this.undo, textChange(xml, checked.xml)].slice(-undoLimit), redo: [],
      };
    }
    return this.#show(checked);
  }

  async #turn(turn) {
    const [from, to] = turn === "undo" ? ["undo", "redo"] : ["redo", "undo"];
    const change = this.#changes[from].at(-1);
    if (!change) return;
    const xml = turn === "undo" ? textBefore(this.xml, change) : textAfter(this.xml, change);
    if (xml === null) {
      // Another tab has changed the text: these changes do not lead to it.
      this.#history = { undo: [], redo: [] };
      return;
    }
    const checked = await post("edit", { xml, edits: [] });
    this.#history = {
      [from]: this.#changes[from].slice(0, -1), [to]: [...this.#changes[to], change],
    };
    this.#show(checked);
  }

  #show({ xml, ...answer }) {
    // Read before the stamp changes: they are those of the text with the old one.
    const changes = this.#changes;
    this.isStored &&= xml === this.xml;
    this.#text = xml;
    this.#history = changes;
    this.stamp = crypto.randomUUID();
    this.checked = Checked.of(answer);
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
    this.checked = Checked.recalled(this.stamp);
    if (this.checked === null) return false;
    this.#isRemembered = true;
    this.#storeSoon();
    return true;
  }

  /**
   * Keeps for the next page what the compiler said, and what undo and redo go through. After a
   * draft was removed there is nothing to keep.
   */
  remember() {
    const isPresent = presentDraft() === this.name;
    if (this.#isRemembered || this.checked === null || !isPresent) return;
    this.#isRemembered = true;
    this.checked.keep(this.stamp);
    keepHistory(this.name, this.stamp, this.#changes);
  }

  /** The page is left: what the browser ends now is not answered. */
  leave() {
    for (const listener of this.#leavers) listener();
    this.remember();
    this.#isLeft = true;
  }

  /** Asks for the rights, for which the browser may have had no room. */
  async readRights() {
    const { checked } = this;
    const { rights } = await post("edit", { xml: this.xml, edits: [] });
    if (rights) checked.rights = rights;
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
    if (this.mayStore) this.#storing = this.#storing.then(() => this.#storeOnce());
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
    this.isStored = this.xml === theirs.xml;
    this.save();
    this.#storeSoon();
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

  /** Keeps text and state. */
  save() {
    const { name, xml, revision, isStored, stamp } = this;
    keepDraft(name, xml, { revision, isStored, stamp });
  }
}

/**
 * The present draft, checked, as the server has it; null without one. `known` are its drafts. A
 * draft that may not be stored is one to look at.
 */
export async function openDraft(known, mayStore = true) {
  const name = presentDraft();
  const state = name === null ? null : draftState(name);
  if (state === null) return null;
  const draft = new Draft(name, state);
  draft.mayStore = mayStore;
  if (draft.isStored) {
    const theirs = known.find((each) => each.name === name);
    if (theirs && theirs.revision !== draft.revision) await draft.takeTheirs();
    if (!theirs && mayStore) draft.isStored = false;
  }
  if (draft.checked === null && !draft.recall()) {
    await draft.replace(draft.xml, { keepsUndo: false });
  }
  await draft.catchUp();
  addEventListener("pagehide", () => draft.leave());
  return draft;
}

/** Begins a draft with a text. It gets a name that no other draft has. */
export async function beginDraft(xml) {
  const checked = await post("edit", { xml, edits: [] });
  const application = checked.outline?.attributes.application ?? "";
  const start = /^[\w.-]{1,60}$/.test(application) ? application : "draft";
  const names = new Set([...await drafts(), ...localDrafts()].map((draft) => draft.name));
  let name = start;
  for (let number = 2; names.has(name); number += 1) name = `${start}-${number}`;
  await storeDrafts(name);
  const draft = new Draft(name, {}, checked.xml);
  draft.checked = Checked.of(checked);
  draft.save();
  setPresentDraft(name);
  draft.remember();
  await draft.store();
}

/** Goes on with a draft: with the text of this browser, if the server has no newer one. */
export async function continueDraft(name) {
  await storeDrafts(name);
  const state = draftState(name);
  const theirs = (await drafts()).find((each) => each.name === name);
  if (!state || (state.isStored && theirs?.revision !== state.revision)) {
    const { xml, revision } = await get(at`drafts/${name}`);
    new Draft(name, { revision, isStored: true }, xml).save();
  }
  setPresentDraft(name);
}

/**
 * Writes the drafts of this browser to the server, but for one. Returns the names of those that it
 * does not take: they stay here.
 */
export async function storeDrafts(present = null) {
  const kept = [];
  for (const { name, ...state } of localDrafts()) {
    if (name === present) continue;
    const draft = new Draft(name, state);
    if (!draft.isStored) await draft.store();
    if (!draft.isStored || unansweredSteps(name).length > 0) kept.push(name);
  }
  return kept;
}
