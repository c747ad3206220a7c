import { post } from "./api.js";
import { differences, testOf } from "./deploy.js";
import { el } from "./dom.js";
import { load } from "./states.js";

let compared = null;

/** Shows who gains and loses rights, against the version that Test has. */
export function drawChanges({ draft, shell }, node) {
  const test = shell.environments.find(({ name }) => name === testOf(shell.environments, draft));
  if (draft.hasErrors || !test || compared === draft.xml) return;
  compared = draft.xml;
  const version = String(test.version);
  load(node, () => draft.answer(`rights against ${version}`, async () => {
    const { rights } = await post("diff", { old: { version }, new: { xml: draft.xml } });
    return rights;
  }), (rights) => [
    el("h2", {}, "Compared with Test"),
    rights.length === 0
      ? el("p", { class: "faint" }, "Nobody gains or loses a right.")
      : differences({ differences: { differences: [], rights } }),
  ]);
}
