// The inbox of open conflicts, one of them in three ways, and a rule for many at once.
import { at, get, withQuery } from "./api.js";
import { conflictView, resolution } from "./conflict-view.js";
import { readDefinition } from "./definition.js";
import { confirmDanger } from "./dialog.js";
import { button, el, fill, select } from "./dom.js";
import { isTest } from "./pages.js";
import { recordTitle } from "./phone-view.js";
import { findRecord, parameters, refusalOf, sendChanges, setParameters } from "./record-cells.js";
import { includes, openShell } from "./shell.js";
import { followChanges } from "./stale.js";
import { emptyState, load, toast } from "./states.js";

const PAGE = 100;
const shell = await openShell("conflicts");
const { main, environment } = shell;
const bar = el("div", { class: "toolbar" });
const news = el("div", {});
const inbox = el("nav", { "aria-label": "Open conflicts" });
const detail = el("div", { class: "panel" });
const mayResolve = includes(shell.operator, "keeper");
let definition;
let records = [];
let choices = {};
let forgetNews = () => {};

addEventListener("popstate", drawDetail);
document.addEventListener("keydown", keys);
await load(main, async () => {
  definition = await readDefinition(environment, shell.environments);
}, () => [bar, news, el("div", { class: "beside inbox-beside" }, inbox, detail)]);
if (definition) {
  await read();
  forgetNews = followChanges(environment, news, read,
    shell.environments.find(({ name }) => name === environment));
}

async function read() {
  const { model, cursor } = parameters();
  forgetNews();
  await load(inbox, () => get(withQuery(at`environments/${environment}/conflicts`, {
    model, cursor, limit: PAGE,
  })), (page) => {
    ({ records } = page);
    drawBar();
    return records.length === 0 ? nothing() : [list(), page.cursor && button("Next page", () => {
      setParameters({ cursor: page.cursor, guid: null });
      read();
    })];
  });
  drawDetail();
}

function nothing() {
  return emptyState("No conflicts", "Records appear here when two people have changed the same "
    + "one without seeing each other, and the conflict mode keeps both.");
}

function modelOf(record) {
  return definition.models.find((model) => model.name === record.model);
}

function chosen() {
  return records.find((record) => record.guid === parameters().guid) ?? records[0];
}

function list() {
  return el("ul", { class: "plain inbox" }, records.map((record) => el("li", {},
    el("a", {
      href: `?guid=${record.guid}`, "aria-current": record === chosen() ? "true" : null,
      onclick: (event) => {
        event.preventDefault();
        open(record);
      },
    }, el("span", { class: "bad" }, "▲ "), recordTitle(record, modelOf(record))),
    " ", el("small", {}, `${record.model}, ${record.conflicts.length}`))));
}

function open(record) {
  if (record.guid !== chosen()?.guid) choices = {};
  setParameters({ guid: record.guid });
  fill(inbox, list());
  inbox.querySelector("[aria-current]")?.focus();
  drawDetail();
}

function drawDetail(note = null) {
  const record = chosen();
  if (!record) return fill(detail);
  const said = typeof note === "string" && el("p", { class: "stale", role: "status" }, note);
  return fill(detail, el("h2", {}, recordTitle(record, modelOf(record))), said, conflictView({
    environment, record, model: modelOf(record), choices, mayResolve,
    moved: () => moved(record), done: () => {
      toast("Resolved");
      choices = {};
      setParameters({ guid: null }, false);
      read();
    },
  }));
}

/** Reads a record again that somebody else changed meanwhile. The choices stay. */
async function moved(record) {
  const present = await findRecord(environment, record.model, record.guid);
  records = records.map((each) => (each.guid === record.guid ? present : each));
  if (present.conflicted) {
    drawDetail("The record has changed meanwhile. Your choices are still here: look, and resolve.");
  } else {
    toast("Somebody else has resolved this record");
    await read();
  }
}

// MARK: Keys: J K next and previous; 1 2 3 choose in the row of the focus, or in the first one

function keys(event) {
  const isTyping = event.target.matches("input:not([type=radio]), textarea, select");
  if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  const step = { j: 1, k: -1 }[event.key.toLowerCase()];
  if (step) {
    const next = records[records.indexOf(chosen()) + step];
    if (next) open(next);
  }
  const number = Number(event.key);
  if (number < 1 || number > 9) return;
  const set = event.target.closest("fieldset") ?? detail.querySelector("fieldset");
  set?.querySelectorAll("input[type=radio]")[number - 1]?.click();
}

// MARK: A rule for many

function drawBar() {
  const models = [["", "all models"], ...definition.models.map((model) => model.name)];
  const rule = select([["theirs", "the record as it is"], ["mine", "what was set aside"]],
    "theirs", { "aria-label": "Which side wins" });
  fill(bar,
    select(models, parameters().model ?? "", { "aria-label": "Model", onchange: (event) => {
      setParameters({ model: event.target.value, guid: null, cursor: null });
      read();
    } }),
    mayResolve && records.length > 1 && [
      el("span", {}, "For all that are listed, take"), rule,
      button(`Resolve ${records.length}`, () => resolveAll(rule.value)),
    ],
    records.length > 1 && el("span", { class: "faint" }, "J next, K previous, 1 2 3 choose"));
}

async function resolveAll(side) {
  const count = records.length;
  const text = `${side === "theirs" ? "Each record stays as it is" : "The changes that were set "
    + "aside are applied"}${isTest(environment) ? "" : `, in ${environment}`}.`;
  await confirmDanger(`Resolve ${count} records?`, text, `Resolve ${count}`, async () => {
    const changes = records.flatMap((record) => ruled(record, side));
    const outcomes = await sendChanges(environment, changes);
    const refused = outcomes.map(refusalOf).filter(Boolean);
    const good = count - new Set(outcomes.filter(refusalOf).map(({ guid }) => guid)).size;
    toast(`Resolved ${good} of ${count}`);
    await read();
    if (refused.length > 0) throw refused[0];
  });
}

/** The changes that give all of a record to one side: of several that were set aside, the last. */
function ruled(record, side) {
  const values = side === "theirs" ? {}
    : Object.assign({}, ...record.conflicts.map(({ mine }) => mine.fields ?? {}));
  const isDeletion = side === "theirs"
    ? record.deleted : record.conflicts.at(-1).mine.deleted;
  return resolution(record, values, isDeletion);
}
