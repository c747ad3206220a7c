import { at, get, post } from "./api.js";
import { nameInput, openDialog } from "./dialog.js";
import { el, fill } from "./dom.js";
import { dryRun } from "./dry-run.js";
import { environmentAddress, environmentPages, isTest } from "./pages.js";
import { brought, isPossible, riskForm } from "./risks.js";
import { errorText, toast } from "./states.js";

/**
 * Shows what a deployment of the draft to Test would change, and deploys it, with the last edit. If
 * that one fails, nothing is deployed.
 */
export async function deployToTest(draft) {
  if (!await draft.flush()) return;
  const environments = await get("environments");
  await deployTo(testOf(environments, draft), { xml: draft.xml }, environments);
}

/**
 * Deploys `{xml}` or `{version}` to an environment, which is made if there is none of that name,
 * once the operator has seen what would change and accepts its risks. Throws what the server
 * answers to the dry run.
 */
export async function deployTo(name, definition, environments) {
  const path = at`environments/${name}/deployments`;
  const present = environments.find((each) => each.name === name);
  const [expecting, isFirst] = [present?.fingerprint, present === undefined];
  const rehearse = async (rules) => ({
    rules, answer: await post(path, { ...definition, dryRun: true, ...brought(rules) }),
  });
  let isDone = null;
  // With more values for stored records it is another dry run, in a dialog of its own.
  for (let next = await rehearse([]); next !== null;) {
    const { rules, answer } = next;
    let accepting = [];
    next = null;
    isDone = await openDialog({
      title: `Deploy to ${name}`, confirm: isPossible(answer) ? "Deploy" : null,
      content: (allow, close) => {
        const failure = el("div", { role: "alert" });
        return [dryRun(answer, isFirst), ...riskForm(answer, {
          tell: (isAll, names) => {
            allow(isAll);
            accepting = names;
          },
          ask: async (more) => {
            try {
              next = await rehearse([...rules, ...more]);
              close();
            } catch (error) {
              fill(failure, errorText(error));
            }
          },
        }), failure, isPossible(answer) && !isTest(name) && nameInput(name)];
      },
      action: () => post(path, {
        ...definition, ...brought(rules), ...(expecting ? { expecting } : {}),
        ...(accepting.length > 0 ? { accepting } : {}),
      }),
    });
  }
  if (isDone === null) return;
  toast(`${name} has this version now.`);
  location.assign(environmentAddress(name, environmentPages[0].name));
}

/**
 * The name of the environment to test the draft in: `test` or, if that belongs to another
 * application, one named after this one.
 */
export function testOf(environments, { application, vendor }) {
  const test = environments.find(({ name }) => name === "test");
  const isOurs = !test || (test.application === application && test.vendor === vendor);
  return isOurs ? "test" : `test-${application}`;
}
