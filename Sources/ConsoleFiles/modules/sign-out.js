import { remove } from "./api.js";
import { confirmDanger } from "./dialog.js";
import { closeDraft, storeDrafts } from "./open-draft.js";
import { endSession, remember } from "./session.js";

/**
 * Ends the session, and removes what this browser keeps for the operator: the drafts, once the
 * server has them, and the phones. Views stay: they belong to a name.
 */
export async function signOut() {
  const kept = await storeDrafts();
  if (kept.length === 0) return leave();
  return confirmDanger("Sign out?",
    `Changes of ${kept.join(" and ")} that the server did not take are lost.`, "Sign out", leave);
}

async function leave() {
  await endSession(() => remove("session", { quietly: true }));
  closeDraft();
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) {
    if (/^waggle-(?!views |library)/.test(key)) localStorage.removeItem(key);
  }
  remember(null);
  location.assign("/console/sign-in");
}
