// The users of an environment: added, changed and removed.
import { accountDialog, invitationDialog } from "./account-dialogs.js";
import { at, part, patch, post, remove } from "./api.js";
import { readDefinition } from "./definition.js";
import { confirmDanger, openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { seenDay } from "./values.js";

const PAGE = 200;
const shell = await openShell("users");
await onlyFor("keeper", shell, "users");
const { main, environment, environments } = shell;
const address = at`environments/${environment}/users`;
const rows = el("div", {});
const search = el("input", {
  type: "search", autocomplete: "off", spellcheck: "false", oninput: () => read(),
});
let definition;
// Those that are shown, how many of them are not new, and the place of those that follow; or null.
let [users, shown, next] = [[], 0, null];

await load(main, async () => {
  [definition, { entries: users, next }] = await Promise.all([
    readDefinition(environment, environments), found(),
  ]);
}, () => [
  el("div", { class: "toolbar" },
    field("Search", search), button("Add user", () => add(), { kind: "primary" }),
    button("Invite", () =>
      invitationDialog(at`environments/${environment}/invitations`, definition.groups))),
  rows,
], drawRows);

/** The server searches: it may have more users than are shown. */
function found(most = PAGE, from = "") {
  return part(address, most, { search: search.value.trim(), next: from });
}

async function read(most = PAGE, kept = 0) {
  await load(rows, () => found(most), (page) => {
    [users, shown, next] = [page.entries, kept, page.next];
    return contents();
  });
}

/** As many pages of users as there were, after a change. */
function readAgain() {
  return read(PAGE * Math.max(1, Math.ceil(users.length / PAGE)), users.length);
}

function readMore() {
  return load(rows, () => found(PAGE, next), (page) => {
    [users, shown, next] = [[...users, ...page.entries], users.length, page.next];
    return contents();
  });
}

function drawRows() {
  fill(rows, contents());
}

function contents() {
  if (users.length === 0 && search.value.trim() !== "") {
    return el("p", { class: "faint", role: "status" },
      "No user has this in the login, the group or the mail address.");
  }
  if (users.length === 0) {
    return emptyState("No users", "Users sign in on devices. Add the first one.",
      button("Add user", () => add()));
  }
  return [table("Users", [
    { title: "Login", kind: "name", cell: ({ login }) => login },
    { title: "Group", kind: "name", cell: groupText },
    { title: "Mail", cell: ({ mail }) => mail },
    { title: "Admin", cell: ({ admin }) => (admin ? "admin" : "") },
    { title: "Signs in", cell: proof },
    { title: "Last seen", cell: seenDay },
    {
      title: "Actions", kind: "actions", cell: (user) => [
        button("Edit", () => edit(user), {
          kind: "quiet", "aria-label": `Edit ${user.login}` }),
        button("Account", () => openAccount(user), {
          kind: "quiet", "aria-label": `Account of ${user.login}` }),
        button("Remove", () => erase(user), {
          kind: "quiet", "aria-label": `Remove ${user.login}` })],
    },
  ], users, shown), el("p", { class: "faint", role: "status" },
    next !== null ? `the first ${users.length} users`
      : users.length === 1 ? "1 user" : `${users.length} users`),
  next !== null && button("More", readMore)];
}

/** A user of a group that the definition does not have is disabled. */
function groupText({ group }) {
  return definition.groups.includes(group) ? group : `▲ ${group}, which is gone`;
}

/** By what a user signs in. An imported one has nothing until a reset of the password is used. */
function proof({ hasPassword, provider }) {
  if (provider !== undefined) return `with ${provider}`;
  return hasPassword ? "by password" : "▲ no password yet";
}

function controls(user) {
  // A group that is gone stays until another one is chosen.
  const isGone = user && !definition.groups.includes(user.group);
  const group = select(
    [...isGone ? [[user.group, groupText(user)]] : [], ...definition.groups],
    user?.group ?? definition.groups[0]);
  const mail = el("input", { type: "email", autocomplete: "off", value: user?.mail ?? "" });
  const admin = select([["no", "no"], ["yes", "yes, on their devices"]],
    user?.admin ? "yes" : "no");
  const password = el("input", {
    type: "password", autocomplete: "new-password", required: !user });
  return {
    nodes: [field("Group", group), field("Mail", mail), field("Administers users", admin),
      field(user ? "New password" : "Password", password, {
        help: user ? "Empty leaves it as it is. A new one ends the user's sessions." : null })],
    read: () => ({
      group: group.value, mail: mail.value, admin: admin.value === "yes",
      ...(password.value ? { password: password.value } : {}),
    }),
  };
}

async function add() {
  const login = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false", required: true });
  const { nodes, read } = controls(null);
  const added = await openDialog({
    title: "Add user", content: [field("Login", login), nodes], confirm: "Add",
    action: () => post(address, { login: login.value, ...read() }),
  });
  if (!added) return;
  toast(`Added ${added.login}`);
  await readAgain();
}

async function edit(user) {
  const { nodes, read } = controls(user);
  const isDone = await openDialog({
    title: `Edit ${user.login}`, content: nodes, confirm: "Save", action: async () => {
      const wanted = read();
      const changes = Object.fromEntries(Object.entries(wanted).filter(([name, value]) =>
        value !== (user[name] ?? "")));
      if (Object.keys(changes).length > 0) await patch(`${address}/${encoded(user)}`, changes);
      return true;
    },
  });
  if (isDone) await readAgain();
}

async function openAccount(user) {
  if (await accountDialog(address, user)) await readAgain();
}

async function erase(user) {
  const isDone = await confirmDanger(`Remove ${user.login}?`,
    "Their sessions end at once. Their records stay.", "Remove",
    () => remove(`${address}/${encoded(user)}`));
  if (!isDone) return;
  toast(`Removed ${user.login}`);
  await readAgain();
}

function encoded(user) {
  return encodeURIComponent(user.login);
}
