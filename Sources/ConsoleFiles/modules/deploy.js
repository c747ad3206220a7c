import { at, get, post } from "./api.js";
import { openDialog } from "./dialog.js";
import { el } from "./dom.js";
import { environmentAddress, environmentPages } from "./pages.js";
import { toast } from "./states.js";

/**
 * Shows what a deployment of the draft to Test would change, and deploys it. Throws what the server
 * answers to the dry run.
 */
export async function deployToTest(draft) {
  const name = testOf(await get("environments"), draft);
  const path = at`environments/${name}/deployments`;
  const answer = await post(path, { xml: draft.xml, dryRun: true });
  const isDone = await openDialog({
    title: `Deploy to ${name}`, content: [differences(answer)],
    confirm: answer.refusal ? null : "Deploy",
    action: () => post(path, { xml: draft.xml }),
  });
  if (isDone === null) return;
  toast(`${name} has this version now.`);
  const first = environmentPages[0]?.name;
  if (first) location.assign(environmentAddress(name, first));
}

/**
 * The name of the environment to test the draft in: `test` or, if that belongs to another
 * application, one named after this one.
 */
export function testOf(environments, { outline }) {
  const { application, vendor } = outline.attributes;
  const test = environments.find(({ name }) => name === "test");
  const isOurs = !test || (test.application === application && test.vendor === vendor);
  return isOurs ? "test" : `test-${application}`;
}

const refusals = {
  environmentLocked: "the environment is locked against deployments",
  otherApplication: "the environment belongs to another application",
  typesClash: "stored values have another type than their field",
  deploymentRisky: "its risks have to be accepted",
  valuesNotUnique: "records have the value of another one in a field that would be unique",
};

/** Why a dry run says that the deployment would be refused. */
export function reason({ refusal, repeatedValues = [] }) {
  const fields = repeatedValues.map(({ model, field, records }) =>
    `${records} in ${model}.${field}`);
  const words = refusals[refusal] ?? refusal;
  return fields.length > 0 ? `${words}: ${fields.join(", ")}` : words;
}

/** The differences of a dry run in sentences, the breaking ones first. */
export function differences(answer) {
  const { differences: found, refusal } = answer;
  if (refusal) {
    return el("p", { class: "bad" }, "■ It would be refused: ", reason(answer), ".");
  }
  if (!found) return el("p", {}, "This is the first deployment.");
  const all = [...found.differences, ...found.rights];
  if (all.length === 0) return el("p", {}, "Nothing changes: this version is deployed already.");
  const isBreaking = (entry) => [entry.data, entry.clients].some(({ weight }) =>
    weight === "breaking");
  const sorted = [...all.filter(isBreaking), ...all.filter((entry) => !isBreaking(entry))];
  return el("ul", { class: "plain differences" }, sorted.map((entry) =>
    el("li", { class: isBreaking(entry) ? "bad" : null },
      isBreaking(entry) ? "■ breaking: " : "· ", entry.message)));
}
