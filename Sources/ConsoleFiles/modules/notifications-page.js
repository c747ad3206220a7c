// The notifications that are stored, and a form to send one.
import { at, get, post, withQuery } from "./api.js";
import { readDefinition } from "./definition.js";
import { openDialog } from "./dialog.js";
import { button, el, field, select } from "./dom.js";
import { pagedList } from "./paged.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { isUser, userField } from "./user-field.js";
import { moment } from "./values.js";

const PAGE = 100;
const shell = await openShell("notifications");
await onlyFor("keeper", shell, "notifications");
const { main, environment, environments } = shell;
const address = at`environments/${environment}/notifications`;
const rows = el("div", {});
const show = pagedList(rows, "Later",
  (next) => get(withQuery(address, { limit: PAGE, next })), draw);
let definition;

await load(main, async () => {
  definition = await readDefinition(environment, environments);
}, () => [
  el("div", { class: "toolbar" },
    button("Send notification", send, { kind: "primary" })), rows], show);

function draw(sent, shown) {
  if (sent.length === 0) {
    return emptyState("No notifications", "They are kept for seven days, for devices that listen.");
  }
  return table("Notifications", [
    { title: "When", cell: ({ at: sentAt }) => moment(sentAt) },
    { title: "From", kind: "name", cell: ({ sender }) => sender },
    { title: "To", cell: audience },
    {
      title: "Contents", kind: "which",
      cell: ({ notification }) => el("code", {}, JSON.stringify(notification)),
    },
  ], sent, shown);
}

function audience({ users, group, deviceCategory }) {
  return [users?.join(", ") ?? "everybody", group && `in ${group}`,
    deviceCategory && `on ${deviceCategory}`].filter(Boolean).join(" ");
}

async function send() {
  const text = el("textarea", { rows: 3, required: true });
  const group = select([["", "all groups"], ...definition.groups], "");
  const category = select([["", "all devices"], ...definition.categories], "");
  const user = userField(environment, "User", { help: "A login; empty for everybody." });
  const sent = await openDialog({
    title: "Send notification", confirm: "Send",
    content: [field("Text", text, { help: "The app gets it as the member text." }),
      user, field("Group", group), field("Device category", category)],
    action: async () => {
      const login = user.control.value.trim();
      // The server passes over unknown users.
      if (login && !(await isUser(environment, login))) {
        throw new Error(`there is no user ${login}`);
      }
      return post(address, {
        notification: { text: text.value }, users: login ? [login] : null,
        group: group.value || null, deviceCategory: category.value || null,
      });
    },
  });
  if (!sent) return;
  toast("Sent: it is the last one in the list");
  await show();
}
