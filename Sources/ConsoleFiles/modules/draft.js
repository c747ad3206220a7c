// The definition that is being designed. Its text is the truth: each edit goes to the server, which
// changes only the bytes of the edit and tells what the compiler says of the result.
import { at, get, post, send } from "./api.js";
import { Checked } from "./checked.js";
import {
  draftHistory, draftText, keepDraft, keepHistory, keepSteps, presentDraft, unansweredSteps,
} from "./draft-storage.js";
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
  // The steps whose answers have not come: `{edits, renamed}`, `{xml, keepsUndo}`, `{turn}`, or
  // `{xml, theirs}` with the revision of a text of the server. `#runs` are their promises.
  #steps = [];
  #runs = new Set();
  // Those that the last page of this tab did not see answered, each with `base`, the revision of
  // the text that it belongs to.
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
    // A text of the server is asked for anew.
    this.#missed = unansweredSteps(name).filter(({ theirs }) => theirs === undefined);
    this.#text = text;
  }

  get xml() { return this.#text ??= draftText(this.name); }
  get outline() { return this.checked?.outline ?? null; }
  get diagnostics() { return this.checked?.diagnostics ?? []; }
  get rights() { return this.checked?.rights ?? null; }
  /** How many models there are: pages that need no more do not read the outline. */
  get models() { return this.checked?.models ?? 0; }
  /** Whether the text is well-formed, so that forms can show and change it. */
  get isLegible() { return this.checked?.isLegible ?? false; }
  get errors() { return this.checked?.errors ?? 0; }
  get warnings() { return this.checked?.warnings ?? 0; }
  get hasErrors() { return this.errors > 0; }
  /** Whether the server has all that was done, also what is under way. */
  get isSaved() { return this.isStored && this.#steps.length === 0; }
  /** Whether the last page of this tab did something that `catchUp` has not yet repeated. */
  get isToCatchUp() { return this.#missed.length > 0; }
  get application() { return this.checked?.application ?? ""; }
  get vendor() { return this.checked?.vendor ?? ""; }
  get undo() { return this.#changes.undo; }
  get redo() { return this.#changes.redo; }
  get #changes() { return this.#history ??= draftHistory(this.name, this.stamp); }

  /** Calls a function after each change. */
  onchange(listener) { this.#listeners.push(listener); }

  /** Calls a function when the page is left: what it does is kept for the next one. */
  onleave(listener) { this.#leavers.push(listener); }

  /**
   * Applies edits, one request after another. Throws what the server refuses. `renamed` is what
   * they rename, `{model, to}` or `{model, field, to}`: if an environment has it, it says its
   * former name.
   */
  edit(edits, renamed) { return this.#enqueue({ edits, renamed }); }

  /** Replaces the whole text, as the page of the XML does. */
  replace(xml, { keepsUndo = true } = {}) { return this.#enqueue({ xml, keepsUndo }); }

  undoOnce() { return this.#turnOnce("undo"); }

  redoOnce() { return this.#turnOnce("redo"); }

  #turnOnce(turn) {
    this.#finishTyping();
    return this.#enqueue({ turn });
  }

  /** A step is kept until it is answered: the page may be left before. */
  #enqueue(step) {
    this.#steps.push(step);
    this.#keepSteps();
    const run = this.#queue.then(() => this.#take(step)).finally(() => {
      this.#steps.splice(this.#steps.indexOf(step), 1);
      this.#runs.delete(run);
      this.#keepSteps();
      this.#tell();
    });
    this.#runs.add(run);
    this.#queue = run.catch(() => {});
    return run;
  }

  /** Waits until all steps are answered. */
  settled() { return this.#queue; }

  /** A text that is being typed becomes a step. */
  #finishTyping() {
    for (const listener of this.#leavers) listener();
  }

  /**
   * Finishes what is typed, and waits for the answers to all steps. False if one failed: the page
   * that began it tells.
   */
  async flush() {
    this.#finishTyping();
    const answers = await Promise.allSettled(this.#runs);
    return answers.every(({ status }) => status === "fulfilled");
  }

  /** Requests that the browser ends with the page are no answers. */
  #keepSteps() {
    if (this.#isLeft) return;
    keepSteps(this.name, [...this.#steps, ...this.#missed].map((step) =>
      ({ base: this.revision, ...step })));
  }

  /**
   * Takes the steps that the last page of this tab did not see answered. If somebody has written
   * the draft since, nothing is stored without a choice: the revision is that of the last page.
   */
  async catchUp() {
    this.revision = this.#missed[0]?.base ?? this.revision;
    this.#missed = this.#missed.map(({ base, ...step }) => step);
    while (this.#missed.length > 0) {
      await this.#enqueue(this.#missed.shift()).catch((error) => { this.refusal = error; });
    }
  }

  /** The changes of undo follow the text: both are other ones once the answer is there. */
  async #take(step) {
    const { xml } = this;
    if (step.turn) return this.#turn(step.turn);
    const checked = await post("edit", step.edits
      ? { xml, edits: [...await this.#formerName(step), ...step.edits] }
      : { xml: step.xml, edits: [] });
    if (step.keepsUndo !== false && checked.xml !== xml) {
      this.#history = {
        undo: [...this.undo, textChange(xml, checked.xml)].slice(-undoLimit), redo: [],
      };
    }
    return this.#show(checked, step);
  }

  /** The edits that keep the name of something renamed, if an environment has it. */
  async #formerName({ renamed }) {
    if (!renamed) return [];
    const { formerName } = await import("./deployed-names.js");
    return formerName(this, renamed);
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

  #show({ xml, ...answer }, step = {}) {
    // Read before the stamp changes: they are those of the text with the old one.
    const changes = this.#changes;
    this.isStored &&= xml === this.xml;
    if (step.theirs !== undefined) {
      // The text comes with its revision: with another one it would replace what it does not know.
      Object.assign(this, { revision: step.theirs, isStored: xml === step.xml });
      Object.assign(this, { rival: null, newer: null });
    }
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
    if (this.#isLeft) return;
    // The field that has the focus tells of what was typed in it.
    document.activeElement?.blur();
    this.#finishTyping();
    this.remember();
    this.#isLeft = true;
  }

  /** The draft goes from this browser: nothing is written or kept any more. */
  close() {
    clearTimeout(this.#timer);
    this.mayStore = false;
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
      this.revision = await this.#write(xml, revision);
      this.isStored = xml === this.xml;
      this.rival = null;
      this.newer = null;
      this.#keepSteps();
    } catch (error) {
      // Unless the text of the server was taken meanwhile.
      if (revision === this.revision) this.rival = error;
    }
    this.save();
    this.#tell();
  }

  /** Returns the new revision. A page that was left may have written the same text. */
  async #write(xml, revision) {
    try {
      const { value } = await send("PUT", at`drafts/${this.name}`,
        { body: { xml }, ifMatch: revision > 0 ? `"${revision}"` : undefined });
      return value.revision;
    } catch (error) {
      const theirs = error.code === "draftStale"
        ? await get(at`drafts/${this.name}`).catch(() => null) : null;
      if (theirs?.xml === xml) return theirs.revision;
      throw error;
    }
  }

  /** Takes the text of the server. Undo leads back to one's own. */
  async takeTheirs() {
    this.#finishTyping();
    await this.#storing;
    const { xml, revision } = await get(at`drafts/${this.name}`);
    clearTimeout(this.#timer);
    await this.#enqueue({ xml, theirs: revision });
  }

  /** Writes one's own text on top of the one that `rival` tells of, and of no later one. */
  async keepMine() {
    if (this.rival) this.revision = Number(this.rival.details.revision ?? 0);
    await this.store();
  }

  /** Keeps text and state. */
  save() {
    if (this.#isLeft) return;
    const { name, xml, revision, isStored, stamp } = this;
    keepDraft(name, xml, { revision, isStored, stamp });
  }
}
