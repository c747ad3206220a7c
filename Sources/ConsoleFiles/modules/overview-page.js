// Figures of an environment at a glance.
import { at, get, withQuery } from "./api.js";
import { readDefinition } from "./definition.js";
import { el, fill } from "./dom.js";
import { environmentAddress } from "./pages.js";
import { includes, openShell } from "./shell.js";
import { load } from "./states.js";
import { table } from "./table.js";
import { day, moment } from "./values.js";

const shell = await openShell("overview");
const { main, environment } = shell;
const numbers = el("dl", { class: "numbers" });
const models = el("div", {});
const clients = el("div", {});
const page = (name) => environmentAddress(environment, name);
// The numbers of records by model, and where they are shown: rows may come before or after them.
let counts = null;
const places = new Map();

await load(main, read, draw);

async function read() {
  const [definition, last] = await Promise.all([
    readDefinition(environment, shell.environments),
    get(withQuery(at`environments/${environment}/deployments`, { limit: 1 })),
  ]);
  return { definition, deployment: last.entries[0] };
}

function draw({ definition, deployment }) {
  const { application, vendor, version, locked } = definition.environment;
  const mayLook = includes(shell.operator, "keeper");
  fill(models, modelTable(definition, mayLook));
  load(clients, () => get(at`environments/${environment}/clients`), clientTable);
  if (mayLook) {
    load(numbers, () => get(at`environments/${environment}/counts`), (counts) => {
      showCounts(counts.models);
      return [
        number({ title: "Users", count: counts.users, name: "users" }),
        number({
          title: "Open conflicts", count: counts.openConflicts, name: "conflicts",
          isBad: counts.openConflicts > 0,
        }),
      ];
    });
  }
  return [
    el("p", {}, el("strong", {}, application), ` by ${vendor}, version `,
      el("a", { href: page("deployments") }, String(version)),
      deployment && [", deployed by ", deployment.author || "the tool", ", ",
        moment(deployment.deployedAt)],
      locked && el("span", { class: "badge" }, "locked")),
    mayLook && numbers, el("h2", {}, "Models"), models,
    el("h2", {}, "Devices by last sync"), clients,
    !mayLook && el("p", { class: "faint" }, "Only keepers and designers see records and users."),
  ];
}

function number({ title, count, name, isBad }) {
  return el("div", {}, el("dt", {}, el("a", { href: page(name) }, title)),
    el("dd", { class: isBad ? "large bad" : "large" }, isBad && "▲ ", String(count)));
}

function modelTable({ models: all }, mayLook) {
  return table("Models", [
    {
      title: "Model", kind: "name",
      cell: ({ name }) => (mayLook ? el("a", {
        href: `${page("records")}?${new URLSearchParams({ model: name })}` }, name) : name),
    },
    { title: "Conflict mode", cell: ({ mode }) => mode },
    { title: "Fields", kind: "number", cell: ({ fields }) => String(fields.length) },
    mayLook && {
      title: "Records", kind: "number", cell: ({ name }) => {
        const place = el("span", {}, countOf(name));
        places.set(name, place);
        return place;
      },
    },
  ].filter(Boolean), all);
}

function showCounts(found) {
  counts = new Map(found.map((each) => [each.model, each]));
  for (const [name, place] of places) fill(place, countOf(name));
}

function countOf(model) {
  const { records, isLeast } = counts?.get(model) ?? {};
  return records === undefined ? "" : isLeast ? `more than ${records}` : String(records);
}

/** The devices of the last 90 days by the version that they have, those seen last first. */
function clientTable(found) {
  if (found.length === 0) {
    return el("p", { class: "faint" }, "No device was here in the last 90 days.");
  }
  const sorted = [...found].sort((one, other) =>
    other.lastSeen - one.lastSeen || other.devices - one.devices);
  return table("Devices by last sync", [
    { title: "Last seen", cell: ({ lastSeen }) => day(lastSeen) },
    { title: "Devices", kind: "number", cell: ({ devices }) => String(devices) },
    { title: "Version", cell: ({ version, fingerprint }) =>
      (version ? `version ${version}` : fingerprint ? "one that is not kept" : "not told") },
    { title: "Wire", kind: "name", cell: ({ wire }) => wire },
  ], sorted);
}
