// The notifications that are stored, and a form to send one.
import { at, get, post, withQuery } from "./api.js";
import { readDefinition } from "./definition.js";
import { openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { includes, openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const PAGE = 100;
const { main, environment, environments, operator } = await openShell("notifications");
const address = at`environments/${environment}/notifications`;
const rows = el("div", {});
let definition;

if (includes(operator, "keeper")) {
  await load(main, async () => {
    definition = await readDefinition(environment, environments);
  }, () => [
    el("div", { class: "toolbar" },
      button("Send notification", send, { kind: "primary" })), rows], () => draw(null));
} else {
  fill(main, el("p", {}, "Only keepers and designers see notifications."));
}

function draw(next) {
  return load(rows, () => get(withQuery(address, { limit: PAGE, next })), (page) =>
    (page.entries.length === 0
      ? emptyState("No notifications", "They are kept for seven days, for devices that listen.")
      : [table("Notifications", [
        { title: "When", cell: ({ at: sentAt }) => moment(sentAt) },
        { title: "From", kind: "name", cell: ({ sender }) => sender },
        { title: "To", cell: audience },
        {
          title: "Contents", kind: "which",
          cell: ({ notification }) => el("code", {}, JSON.stringify(notification)),
        },
      ], page.entries), page.next && button("Later", () => draw(page.next))]));
}

function audience({ users, group, deviceCategory }) {
  return [users?.join(", ") ?? "everybody", group && `in ${group}`,
    deviceCategory && `on ${deviceCategory}`].filter(Boolean).join(" ");
}

async function send() {
  const text = el("textarea", { rows: 3, required: true });
  const group = select([["", "all groups"], ...definition.groups], "");
  const category = select([["", "all devices"], ...definition.categories], "");
  const sent = await openDialog({
    title: "Send notification", confirm: "Send",
    content: [field("Text", text, { help: "The app gets it as the member text." }),
      field("Group", group), field("Device category", category)],
    action: () => post(address, {
      notification: { text: text.value }, group: group.value || null,
      deviceCategory: category.value || null,
    }),
  });
  if (!sent) return;
  toast("Sent");
  await draw(null);
}
