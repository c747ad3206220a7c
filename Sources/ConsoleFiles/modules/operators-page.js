// The operators of the server and their scopes.
import { at, get, patch, post, remove } from "./api.js";
import { confirmDanger, openDialog } from "./dialog.js";
import { button, el, field, select } from "./dom.js";
import { onlyFor } from "./scopes.js";
import { passwordInput } from "./session.js";
import { openShell } from "./shell.js";
import { load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const scopes = [
  ["viewer", "viewer: looks at definitions and deployments"],
  ["keeper", "keeper: looks at and changes users and records too"],
  ["designer", "designer: everything"],
];
const shell = await openShell("operators");
await onlyFor("designer", shell, "the operators");
const { main } = shell;

await read();

function read() {
  return load(main, () => get("operators"), (operators) => [
    el("div", { class: "toolbar" }, button("Add operator", add, { kind: "primary" })),
    table("Operators", [
      { title: "Name", kind: "name", cell: ({ name }) => name },
      { title: "Scope", cell: ({ scope }) => scope },
      { title: "Since", cell: ({ createdAt }) => moment(createdAt) },
      {
        title: "Actions", kind: "actions", cell: (person) => [
          button("Edit", () => edit(person), {
            kind: "quiet", "aria-label": `Edit ${person.name}` }),
          button("Remove", () => erase(person), {
            kind: "quiet", "aria-label": `Remove ${person.name}` })],
      },
    ], operators),
  ]);
}

async function add() {
  const name = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const password = passwordInput("new-password");
  const scope = select(scopes, "viewer");
  const added = await openDialog({
    title: "Add operator", confirm: "Add",
    content: [field("Name", name), field("Their password", password), field("Scope", scope)],
    action: () => post("operators", {
      name: name.value, password: password.value, scope: scope.value }),
  });
  if (!added) return;
  toast(`Added ${added.name}`);
  await read();
}

async function edit(person) {
  const scope = select(scopes, person.scope);
  const password = passwordInput("new-password");
  password.required = false;
  const isDone = await openDialog({
    // Password managers need to know whose password it is.
    title: `Edit ${person.name}`, confirm: "Save", content: [el("input", {
      type: "text", name: "name", autocomplete: "username", hidden: true, value: person.name,
    }), field("Scope", scope),
      field("New password", password, {
        help: "Empty leaves it as it is. Either change ends their sessions." })],
    action: async () => {
      const changes = {
        ...(scope.value === person.scope ? {} : { scope: scope.value }),
        ...(password.value ? { password: password.value } : {}),
      };
      if (Object.keys(changes).length > 0) await patch(at`operators/${person.name}`, changes);
      return true;
    },
  });
  if (isDone) await read();
}

async function erase(person) {
  const isDone = await confirmDanger(`Remove ${person.name}?`,
    "Their sessions and tokens end at once.", "Remove", () => remove(at`operators/${person.name}`));
  if (!isDone) return;
  toast(`Removed ${person.name}`);
  await read();
}
