import { post } from "./api.js";
import { testOf } from "./deploy.js";
import { el, fill } from "./dom.js";
import { differences } from "./dry-run.js";
import { errorText } from "./states.js";

let compared = null;

/**
 * Shows who gains and loses rights, against the version that Test has. The matrix can be used
 * before the server has compared them.
 */
export function drawChanges({ draft, shell }, node) {
  const test = shell.environments.find(({ name }) => name === testOf(shell.environments, draft));
  node.hidden = !test;
  if (draft.hasErrors || !test || compared === draft.stamp) return;
  const { stamp } = draft;
  compared = stamp;
  if (!node.hasChildNodes()) fill(node, heading(), el("p", {}, "…"));
  requestIdleCallback(async () => {
    try {
      const rights = await changes(draft, String(test.version));
      if (compared === stamp) {
        fill(node, heading(), rights.length === 0
          ? el("p", { class: "faint" }, "Nobody gains or loses a right.")
          : differences({ differences: [], rights }));
      }
    } catch (error) {
      if (compared === stamp) fill(node, heading(), errorText(error));
    }
  });
}

const heading = () => el("h2", {}, "Compared with Test");

const changes = (draft, version) => draft.answer(`rights against ${version}`, async () => {
  const { rights } = await post("diff", { old: { version }, new: { xml: draft.xml } });
  return rights;
});
