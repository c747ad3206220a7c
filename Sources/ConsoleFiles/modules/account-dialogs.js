// Dialogs for accounts: codes to sign up or for a new password, failed sign-ins to forget, and the
// data of a person.
import { get, post, remove } from "./api.js";
import { confirmByName, openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

/** `users` is the path of the users of the environment. True if the person was erased. */
export async function accountDialog(users, { login }) {
  const account = `${users}/${encodeURIComponent(login)}`;
  let isErased = false;
  const act = (text, help, action, attributes = {}) => el("li", {},
    button(text, async () => {
      try {
        await action();
      } catch (error) {
        fill(failure, error.message);
        failure.hidden = false;
      }
    }, attributes), el("small", {}, help));
  const failure = el("p", { class: "field-error", role: "alert", hidden: true });
  await openDialog({
    title: `Account of ${login}`, confirm: "Done", cancel: null,
    content: [el("ul", { class: "plain acts" },
      act("Make a code for a new password", "With it they choose one within a day.", async () =>
        showCode(await post(`${account}/reset`), `Code for ${login}`)),
      act("Forget failed sign-ins", "The next one need not wait.", async () => {
        await post(`${account}/unlock`);
        toast(`${login} can sign in again`);
      }),
      el("li", {}, el("a", {
        class: "button", href: `/admin/v1/${account}/export`, download: `${login}.jsonl`,
      }, "Download their data"), el("small", {}, "Everything that is stored of them.")),
      act("Erase their data", "The account, and all records that they own, on devices too.",
        async () => {
          isErased = await confirmByName(`Erase the data of ${login}?`,
            "This cannot be undone. What they wrote in records of others stays.", login, "Erase",
            () => post(`${account}/erasure`)) !== null;
        }, { kind: "danger" })), failure],
  });
  return isErased;
}

/** Makes an invitation to a group, and shows those that are valid. */
export async function invitationDialog(invitations, groups) {
  const group = select(groups, groups[0]);
  const number = (value, max) => el("input", {
    type: "number", min: 1, max, value, required: true });
  const [uses, days] = [number(1, 1000), number(7, 30)];
  const present = el("div", {});
  const draw = () => load(present, () => get(invitations), (found) =>
    found.length > 0 && [el("h3", {}, "Valid codes"), codes(found)]);
  const codes = (found) => table("Valid codes", [
    { title: "For", kind: "name", cell: ({ group: to, login }) => login ?? to },
    { title: "Uses left", kind: "number", cell: ({ usesLeft }) => String(usesLeft) },
    { title: "Until", cell: ({ expiresAt }) => moment(expiresAt) },
    {
      title: "Actions", kind: "actions", cell: ({ name, login, group: to }) =>
        button("End", async () => {
          await remove(`${invitations}/${encodeURIComponent(name)}`);
          await draw();
        }, { kind: "quiet", "aria-label": `End the code for ${login ?? to}` }),
    },
  ], found);
  await draw();
  const made = await openDialog({
    title: "Invite", confirm: "Make a code", cancel: "Close",
    text: "Whoever has the code signs up in the app, with a login and a password of their own.",
    content: [field("Group", group), field("How many may use it", uses),
      field("Days until it expires", days), present],
    action: () => post(invitations, {
      group: group.value, uses: Number(uses.value), days: Number(days.value) }),
  });
  if (made) await showCode(made, `Invitation to ${made.group}`);
}

/** A code is shown once: the server has only its hash. */
function showCode({ code }, title) {
  const text = el("input", { type: "text", readonly: true, value: code });
  return openDialog({
    title, text: "Copy it now: it is not shown again.", confirm: "Done", cancel: null,
    content: [field("Code", text), button("Copy", async () => {
      await navigator.clipboard.writeText(code);
      toast("Copied");
    })],
  });
}
