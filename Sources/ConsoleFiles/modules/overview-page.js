// Figures of an environment at a glance.
import { ApiError, at, get, list, withQuery } from "./api.js";
import { readDefinition } from "./definition.js";
import { button, el, fill, table } from "./dom.js";
import { environmentAddress } from "./pages.js";
import { includes, openShell } from "./shell.js";
import { load } from "./states.js";
import { moment } from "./values.js";

const MOST = 1000;
/** Of more models the records are counted on demand: each takes a request. */
const COUNTED_MODELS = 30;
const shell = await openShell("overview");
const { main, environment } = shell;
const numbers = el("dl", { class: "numbers" });
const models = el("div", {});
const page = (name) => environmentAddress(environment, name);

await load(main, read, draw);

async function read() {
  const [definition, last] = await Promise.all([
    readDefinition(environment),
    get(withQuery(at`environments/${environment}/deployments`, { limit: 1 })),
  ]);
  return { definition, deployment: last.entries[0] };
}

function draw({ definition, deployment }) {
  const { application, vendor, version, locked } = definition.environment;
  const mayLook = includes(shell.operator, "keeper");
  if (mayLook) {
    load(numbers, readNumbers, (found) => found.map(number));
    drawCounts(definition);
  }
  return [
    el("p", {}, el("strong", {}, application), ` by ${vendor}, version `,
      el("a", { href: page("deployments") }, String(version)),
      deployment && [", deployed by ", deployment.author || "the tool", ", ",
        moment(deployment.deployedAt)],
      locked && el("span", { class: "badge" }, "locked")),
    mayLook && numbers, el("h2", {}, "Models"), models,
    !mayLook && el("p", { class: "faint" }, "Only keepers and designers see records and users."),
  ];
}

async function readNumbers() {
  const [users, conflicts] = await Promise.all([
    list(at`environments/${environment}/users`, MOST),
    get(withQuery(at`environments/${environment}/conflicts`, { limit: MOST, fields: null })),
  ]);
  return [
    { title: "Users", count: users.length, isMore: users.length >= MOST, name: "users" },
    {
      title: "Records in conflict", count: conflicts.records.length,
      isMore: Boolean(conflicts.cursor), name: "conflicts", isBad: conflicts.records.length > 0,
    },
  ];
}

function number({ title, count, isMore, name, isBad }) {
  return el("div", {}, el("dt", {}, el("a", { href: page(name) }, title)),
    el("dd", { class: isBad ? "large bad" : "large" },
      isBad && "▲ ", isMore ? `${count} and more` : String(count)));
}

function drawCounts(definition) {
  const isAtOnce = definition.models.length <= COUNTED_MODELS;
  fill(models, table("Models", [
    {
      title: "Model", kind: "name",
      cell: ({ name }) => el("a", {
        href: `${page("records")}?${new URLSearchParams({ model: name })}` }, name),
    },
    { title: "Conflict mode", cell: ({ mode }) => mode },
    { title: "Fields", kind: "number", cell: ({ fields }) => String(fields.length) },
    { title: "Records", kind: "number", cell: ({ name }) => countNode(name, isAtOnce) },
  ], definition.models));
}

/** Counting reads all records of a model: the server refuses it for very many. */
function countNode(model, isAtOnce) {
  const node = el("span", {});
  const count = async () => {
    fill(node, "…");
    try {
      const found = await get(withQuery(at`environments/${environment}/records/${model}`, {
        count: true, limit: 1,
      }));
      fill(node, String(found.count));
    } catch (error) {
      const isLarge = error instanceof ApiError && error.code === "tooMuchToScan";
      fill(node, isLarge ? `more than ${error.details.max}` : error.message);
    }
  };
  if (isAtOnce) count();
  else fill(node, button("Count", count, { kind: "quiet", "aria-label": `Count ${model}` }));
  return node;
}
