// The deployments of an environment, and the deployment of any version after a dry run.
import { at, get, list, post, put, withQuery } from "./api.js";
import { confirmByName, openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { dryRun } from "./dry-run.js";
import { pagedList } from "./paged.js";
import { isTest } from "./pages.js";
import { brought, isPossible, riskForm } from "./risks.js";
import { includes, openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

// Versions to choose from, and deployments of a page.
const [MOST, PAGE] = [200, 100];
const shell = await openShell("deployments");
const { main, environment } = shell;
const address = at`environments/${environment}/deployments`;
const isDesigner = includes(shell.operator, "designer");
const plan = el("div", { "aria-live": "polite" });
const rows = el("div", {});
let present;
const showHistory = pagedList(rows, "Earlier",
  (next) => get(withQuery(address, { limit: PAGE, next })), history);

await readAll();

function readAll() {
  return load(main, async () => {
    const [state, versions] = await Promise.all([
      get(at`environments/${environment}`), list("versions", MOST),
    ]);
    present = state;
    return versions;
  }, draw, showHistory);
}

function draw(versions) {
  const own = versions.filter((version) =>
    version.application === present.application && version.vendor === present.vendor);
  fill(plan);
  return [lock(), isDesigner && chooser(own), plan, el("h2", {}, "History"), rows];
}

function lock() {
  const text = present.locked
    ? "Locked: only a token with the scope deployer deploys here."
    : "Open: designers deploy here.";
  return el("div", { class: "toolbar" }, el("span", {}, text),
    isDesigner && button(present.locked ? "Open it" : "Lock it", async () => {
      await openDialog({
        title: present.locked ? `Open ${environment}?` : `Lock ${environment}?`,
        text: present.locked ? "Designers can deploy here again."
          : "Only scripts with a token of the scope deployer can deploy here then.",
        confirm: present.locked ? "Open" : "Lock",
        action: () => put(at`environments/${environment}/lock`, { locked: !present.locked }),
      });
      await readAll();
    }));
}

function history(entries, shown) {
  if (entries.length === 0) {
    return emptyState("No deployments", "They appear here from the first one on.");
  }
  return table("Deployments", [
    { title: "Number", kind: "number", cell: ({ number }) => String(number) },
    {
      title: "Version", kind: "number", cell: ({ version, number }) => [`${version} `,
        number === entries[0].number && present.version === version
          && el("span", { class: "badge" }, "now")],
    },
    { title: "By", cell: ({ author }) => author },
    { title: "When", cell: ({ deployedAt }) => moment(deployedAt) },
    { title: "Values", cell: ({ fill: brought }) => brought ? progress(brought) : "" },
    {
      title: "Actions", kind: "actions", cell: ({ version }) => isDesigner
        && version !== present.version
        && button("Go back to it", () => rehearse(version), {
          kind: "quiet", "aria-label": `Go back to version ${version}` }),
    },
  ], entries, shown);
}

/** How far the values are that a deployment brings to stored records. */
function progress({ filled, unfilled, done, position }) {
  const { sequence } = present;
  return [done ? `${filled} filled` : `${filled} filled so far`,
    // Filled records are looked at once more, behind all others.
    !done && sequence > 0 && `${Math.floor((100 * position) / sequence)}% looked at`,
    unfilled > 0 ? `${unfilled} still lack one` : ""].filter(Boolean).join(", ");
}

function chooser(versions) {
  const others = versions.filter((version) => version.number !== present.version);
  if (others.length === 0) {
    return el("p", { class: "faint" }, "There is no other version of this application yet.");
  }
  const control = select(others.map((version) => [String(version.number),
    [`version ${version.number}`, version.tag, version.note].filter(Boolean).join(", ")]),
  String(others[0].number));
  return el("form", { class: "toolbar", onsubmit: (event) => {
    event.preventDefault();
    rehearse(Number(control.value));
  } }, field("Deploy", control), el("button", { type: "submit" }, "Try it without deploying"));
}

/** The dry run: what would change, for records and for clients. `rules` bring values. */
async function rehearse(version, rules = []) {
  const seen = present;
  const ask = () => post(address, { version, dryRun: true, ...brought(rules) });
  await load(plan, ask, (answer) => {
    let accepting = [];
    const send = button(`Deploy version ${version} to ${environment}`,
      () => deploy(version, seen.fingerprint, accepting, rules), { kind: "primary" });
    return el("section", { class: "plan", "aria-label": `Version ${version}` },
      el("h2", { tabindex: "-1" }, `Version ${version} in place of ${seen.version}`),
      dryRun(answer),
      riskForm(answer, {
        tell: (isAll, names) => {
          send.disabled = !isAll;
          accepting = names;
        },
        ask: (added) => rehearse(version, [...rules, ...added]),
      }),
      el("div", { class: "buttons" },
        isPossible(answer) && send,
        button("Leave it", () => fill(plan), { kind: "quiet" })));
  });
  plan.querySelector("h2")?.focus();
}

async function deploy(version, expecting, accepting, rules) {
  const title = `Deploy version ${version} to ${environment}?`;
  const action = () => post(address, {
    version, expecting, ...brought(rules),
    ...(accepting.length > 0 ? { accepting } : {}),
  });
  const text = "It takes effect at once, for everybody.";
  const done = isTest(environment)
    ? await openDialog({ title, text, confirm: "Deploy", action })
    : await confirmByName(title, text, environment, "Deploy", action);
  if (!done) return;
  toast(done.deployed === false ? "It was deployed already" : `Deployed version ${version}`);
  await readAll();
}

