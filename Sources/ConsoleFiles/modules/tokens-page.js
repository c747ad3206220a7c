// The tokens of scripts.
import { at, get, post, remove } from "./api.js";
import { confirmDanger, openDialog } from "./dialog.js";
import { button, el, field, select } from "./dom.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const shell = await openShell("tokens");
await onlyFor("designer", shell, "the tokens");
const { main, environments } = shell;

await read();

function read() {
  return load(main, () => get("tokens"), (tokens) => [
    el("div", { class: "toolbar" }, button("Make token", make, { kind: "primary" })),
    tokens.length === 0
      ? emptyState("No tokens", "Scripts call the administration with a token in a header.")
      : list(tokens),
  ]);
}

function list(tokens) {
  return table("Tokens", [
    { title: "Name", kind: "name", cell: ({ name }) => name },
    { title: "Scope", cell: ({ scope }) => scope },
    { title: "For", cell: ({ environment }) => environment ?? "all environments" },
    { title: "Made by", cell: ({ author }) => author },
    { title: "Until", cell: ({ expiresAt }) => moment(expiresAt) },
    {
      title: "Actions", kind: "actions", cell: ({ name, number }) => button("End", async () => {
        const isDone = await confirmDanger(`End the token ${name}?`,
          "Scripts that use it are refused from now on.", "End it",
          () => remove(at`tokens/${number}`));
        if (isDone) await read();
      }, { kind: "quiet", "aria-label": `End ${name}` }),
    },
  ], tokens);
}

async function make() {
  const name = el("input", { type: "text", autocomplete: "off", required: true, value: "ci" });
  const scope = select(["deployer", "viewer", "keeper", "designer"], "deployer");
  const place = select([["", "all environments"], ...environments.map((each) => each.name)], "");
  const days = el("input", { type: "number", min: "1", max: "3650", required: true, value: "90" });
  const made = await openDialog({
    title: "Make token", confirm: "Make",
    content: [field("Name", name), field("Scope", scope), field("Environment", place),
      field("Days until it expires", days)],
    action: () => post("tokens", {
      name: name.value, scope: scope.value, environment: place.value || null,
      days: Number(days.value),
    }),
  });
  if (!made) return;
  await showSecret(made);
  await read();
}

/** The secret is shown once: the server has only its hash. */
async function showSecret({ name, token }) {
  const secret = el("input", { type: "text", readonly: true, value: token });
  await openDialog({
    title: `Token ${name}`, text: "Copy it now: it is not shown again.", confirm: "Done",
    cancel: null, content: [field("Token", secret), button("Copy", async () => {
      await navigator.clipboard.writeText(token);
      toast("Copied");
    })],
  });
}
