import { at, remove } from "./api.js";
import { confirmDanger } from "./dialog.js";
import { forgetDraft } from "./draft-storage.js";

/** Removes a draft from the server and from this browser, once that is confirmed. */
export function removeDraft(name) {
  return confirmDanger(`Remove the draft ${name}?`,
    "What was not deployed or kept as a version is lost.", "Remove", async () => {
      try {
        await remove(at`drafts/${name}`);
      } catch (error) {
        // The server never had it, or another designer was faster.
        if (error.code !== "draftUnknown") throw error;
      }
      forgetDraft(name);
    });
}
