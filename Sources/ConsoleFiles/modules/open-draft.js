// Which draft the pages show, and the drafts that this browser has.
import { at, get, post } from "./api.js";
import { Checked } from "./checked.js";
import {
  draftState, localDrafts, presentDraft, setPresentDraft, unansweredSteps,
} from "./draft-storage.js";
import { Draft } from "./draft.js";
import { drafts } from "./drafts.js";

// The draft of this page.
let opened = null;

/**
 * The present draft, checked, as the server has it; null without one. `known` are its drafts. A
 * draft that may not be stored is one to look at.
 */
export async function openDraft(known, mayStore = true) {
  const name = presentDraft();
  const state = name === null ? null : draftState(name);
  if (state === null) return null;
  const draft = new Draft(name, state);
  opened = draft;
  draft.mayStore = mayStore;
  if (draft.isStored) {
    const theirs = known.find((each) => each.name === name);
    const isNewer = theirs && theirs.revision !== draft.revision;
    if (isNewer && !draft.isToCatchUp) await draft.takeTheirs();
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
    // The draft of this page is written by nobody else: the second would be the later one.
    const draft = opened?.name === name ? opened : new Draft(name, state);
    const isAnswered = await draft.flush() && unansweredSteps(name).length === 0;
    if (!draft.isStored) await draft.store();
    if (!draft.isStored || !isAnswered) kept.push(name);
  }
  return kept;
}

/** The draft of this page, if there is one, goes from this browser. */
export const closeDraft = () => opened?.close();
