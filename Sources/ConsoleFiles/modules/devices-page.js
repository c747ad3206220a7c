// The devices on which users are signed in, and those that can be reached by notifications.
import { at, get, remove, withQuery } from "./api.js";
import { confirmDanger } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { pagedList } from "./paged.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { moment, seenDay } from "./values.js";

const MOST = 1000;
/** Orders of devices: their names, and what comes first. */
const orders = [
  ["seen", "last seen, newest first", (one, other) => (other.lastSeen ?? 0) - (one.lastSeen ?? 0)],
  ["user", "user", () => 0],
  ["device", "device", (one, other) => compare(one.device, other.device)],
  ["category", "category", (one, other) => compare(one.deviceCategory, other.deviceCategory)],
  ["until", "until, latest first", (one, other) => other.expiresAt - one.expiresAt],
];
const shell = await openShell("devices");
await onlyFor("keeper", shell, "devices");
const { main, environment } = shell;
const address = at`environments/${environment}`;
const rows = el("div", {});
const tokens = el("div", {});
const search = el("input", {
  type: "search", autocomplete: "off", spellcheck: "false", oninput: () => read() });
const order = select(orders, "seen", { onchange: () => drawRows() });
let devices = [];
const showTokens = pagedList(tokens, "More", readTokens, drawTokens);

fill(main, el("h2", {}, "Signed in"),
  el("div", { class: "toolbar" }, field("Search", search), field("Order", order)), rows,
  el("h2", {}, "Reached by notifications"), tokens);
await Promise.all([read(), showTokens()]);

function compare(one, other) {
  return one < other ? -1 : Number(one > other);
}

/** The server searches: it may have more devices than are shown. */
function read() {
  const query = { limit: MOST, search: search.value.trim() };
  return load(rows, () => get(withQuery(`${address}/devices`, query)), ({ entries }) => {
    devices = entries;
    return contents();
  });
}

function drawRows() {
  fill(rows, contents());
}

/** Devices that are alike in an order come by their users. */
function contents() {
  if (devices.length === 0) {
    return search.value.trim() === ""
      ? emptyState("No devices", "They appear here when users have signed in.")
      : el("p", { class: "faint", role: "status" }, "No user or device has this in its name.");
  }
  const [, , isBefore] = orders.find(([name]) => name === order.value);
  return [table("Devices", [
    { title: "User", kind: "name", cell: ({ login }) => login },
    { title: "Device", kind: "name", cell: ({ device }) => device },
    { title: "Category", cell: ({ deviceCategory }) => deviceCategory },
    { title: "Last seen", cell: seenDay },
    { title: "Until", cell: ({ expiresAt }) => moment(expiresAt) },
    { title: "Actions", kind: "actions", cell: signOut },
  ], [...devices].sort(isBefore)), el("p", { class: "faint", role: "status" },
    devices.length >= MOST ? `the first ${MOST} devices: search for others`
      : devices.length === 1 ? "1 device" : `${devices.length} devices`)];
}

function signOut({ login, device }) {
  return button("Sign out", async () => {
    const isDone = await confirmDanger(`Sign ${login} out of ${device}?`,
      "What the device has not sent stays on it until the user signs in again.", "Sign out",
      () => remove(`${address}/${at`users/${login}/sessions/${device}`}`));
    if (!isDone) return;
    toast("Signed out");
    await read();
  }, { kind: "quiet", "aria-label": `Sign ${login} out of ${device}` });
}

async function readTokens(cursor) {
  const page = await get(withQuery(`${address}/pushTokens`, { cursor, limit: 100 }));
  return { entries: page.tokens, next: page.cursor };
}

function drawTokens(found, shown) {
  if (found.length === 0) {
    return el("p", { class: "faint" }, "No device has registered a push token.");
  }
  return table("Push tokens", [
    { title: "User", kind: "name", cell: ({ login }) => login },
    { title: "Device", kind: "name", cell: ({ device }) => device },
    { title: "Type", cell: ({ type }) => type },
    { title: "Since", cell: ({ at: since }) => moment(since) },
    { title: "Reached", cell: ({ reached }) => (reached ? "yes" : "▲ no delivery") },
    { title: "Actions", kind: "actions", cell: forget },
  ], found, shown);
}

function forget({ login, device, type }) {
  return button("Delete", async () => {
    const parts = [login, "pushTokens", device, type].map(encodeURIComponent).join("/");
    const isDone = await confirmDanger("Delete this push token?",
      "The device is not notified until it registers again.", "Delete",
      () => remove(`${address}/users/${parts}`));
    if (isDone) await showTokens();
  }, { kind: "quiet", "aria-label": `Delete the token of ${device}` });
}
