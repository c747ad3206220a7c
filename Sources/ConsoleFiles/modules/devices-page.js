// The devices that can be reached by notifications, and those on which users are signed in.
import { at, get, list, remove, withQuery } from "./api.js";
import { confirmDanger } from "./dialog.js";
import { button, el, field, fill, select, table } from "./dom.js";
import { includes, openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { day, moment } from "./values.js";

/** Orders of devices: their names, and what comes first. */
const orders = [
  ["seen", "last seen, newest first", (one, other) => (other.lastSeen ?? 0) - (one.lastSeen ?? 0)],
  ["device", "device", () => 0],
  ["category", "category", (one, other) => compare(one.deviceCategory, other.deviceCategory)],
  ["until", "until, latest first", (one, other) => other.expiresAt - one.expiresAt],
];
const { main, environment, operator } = await openShell("devices");
const address = at`environments/${environment}`;
const sessions = el("div", {});
const tokens = el("div", {});

if (includes(operator, "keeper")) {
  await load(main, () => list(`${address}/users`), (users) => (users.length === 0
    ? emptyState("No devices", "They appear here when users have signed in.")
    : [el("h2", {}, "Signed in"), choosers(users), sessions,
      el("h2", {}, "Reached by notifications"), tokens]));
  drawTokens(null);
} else {
  fill(main, el("p", {}, "Only keepers and designers see devices."));
}

function choosers(users) {
  const draw = () => drawSessions(login.value, orders.find(([name]) => name === order.value)[2]);
  const login = select(users.map((user) => user.login), users[0].login, { onchange: draw });
  const order = select(orders, "seen", { onchange: draw });
  draw();
  return el("div", { class: "toolbar" }, field("User", login), field("Order", order));
}

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** Devices that are alike in an order come by their identifiers. */
function drawSessions(login, order) {
  const own = `${address}/users/${encodeURIComponent(login)}`;
  return load(sessions, () => get(`${own}/sessions`), (found) => (found.length === 0
    ? el("p", { class: "faint" }, `${login} is signed in nowhere.`)
    : [table(`Devices of ${login}`, [
      { title: "Device", kind: "name", cell: ({ device }) => device },
      { title: "Category", cell: ({ deviceCategory }) => deviceCategory },
      {
        title: "Last seen",
        cell: ({ lastSeen }) => (lastSeen === null ? "unknown" : day(lastSeen)),
      },
      { title: "Until", cell: ({ expiresAt }) => moment(expiresAt) },
      {
        title: "Actions", kind: "actions", cell: ({ device }) => button("Sign out", async () => {
          const isDone = await confirmDanger(`Sign ${login} out of ${device}?`,
            "What the device has not sent stays on it until the user signs in again.", "Sign out",
            () => remove(`${own}/sessions/${encodeURIComponent(device)}`));
          if (!isDone) return;
          toast("Signed out");
          await drawSessions(login, order);
        }, { kind: "quiet", "aria-label": `Sign out ${device}` }),
      },
    ], found.sort((one, other) => order(one, other) || compare(one.device, other.device)))]));
}

function drawTokens(cursor) {
  return load(tokens, () => get(withQuery(`${address}/pushTokens`, { cursor, limit: 100 })),
    (page) => (page.tokens.length === 0
      ? el("p", { class: "faint" }, "No device has registered a push token.")
      : [table("Push tokens", [
        { title: "User", kind: "name", cell: ({ login }) => login },
        { title: "Device", kind: "name", cell: ({ device }) => device },
        { title: "Type", cell: ({ type }) => type },
        { title: "Since", cell: ({ at: since }) => moment(since) },
        { title: "Reached", cell: ({ reached }) => (reached ? "yes" : "▲ no delivery") },
        { title: "Actions", kind: "actions", cell: forget },
      ], page.tokens),
      page.cursor && button("More", () => drawTokens(page.cursor))]));
}

function forget({ login, device, type }) {
  return button("Delete", async () => {
    const parts = [login, "pushTokens", device, type].map(encodeURIComponent).join("/");
    const isDone = await confirmDanger("Delete this push token?",
      "The device is not notified until it registers again.", "Delete",
      () => remove(`${address}/users/${parts}`));
    if (isDone) await drawTokens(null);
  }, { kind: "quiet", "aria-label": `Delete the token of ${device}` });
}
