// The inbox of open conflicts, one of them in three ways, and a rule for many at once.
import { at, get, withQuery } from "./api.js";
import { conflictView, resolution } from "./conflict-view.js";
import { readDefinition } from "./definition.js";
import { confirmDanger } from "./dialog.js";
import { button, el, fill, select } from "./dom.js";
import { longSelect } from "./long-select.js";
import { isTest } from "./pages.js";
import { findRecord, parameters, refusalOf, sendChanges, setParameters } from "./record-cells.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { followChanges } from "./stale.js";
import { emptyState, load, toast } from "./states.js";
import { recordTitle } from "./values.js";

const PAGE = 100;
const shell = await openShell("conflicts");
await onlyFor("keeper", shell, "conflicts");
const { main, environment } = shell;
const bar = el("div", { class: "toolbar" });
const news = el("div", {});
const inbox = el("nav", { "aria-label": "Open conflicts" });
const detail = el("div", { class: "panel" });
const controls = { rule: select(
  [["theirs", "the record as it is"], ["mine", "what was set aside"]], "theirs",
  { "aria-label": "Which side wins" }) };
let definition;
let records = [];
let cursor = null;
// Those of the record with this guid.
let choices = {};
let choicesOf = null;
let forgetNews = () => {};

addEventListener("popstate", () => definition && read());
document.addEventListener("keydown", keys);
await load(main, async () => {
  definition = await readDefinition(environment, shell.environments);
}, () => [bar, news, el("div", { class: "beside inbox-beside" }, inbox, detail)], async () => {
  makeBar();
  forgetNews = followChanges(environment, news, read,
    shell.environments.find(({ name }) => name === environment));
  await read();
});

/** Reads the page of the inbox that the address names. The record in it is there in any case. */
async function read() {
  forgetNews();
  await load(inbox, async () => {
    const asked = parameters();
    const page = await readPage(asked.model, asked.cursor);
    // The last ones of a later page were resolved: the inbox begins anew.
    if (page.records.length > 0 || !asked.cursor) return { ...page, named: await readNamed(page) };
    setParameters({ cursor: null }, false);
    const first = await readPage(asked.model, null);
    return { ...first, named: await readNamed(first) };
  }, (page) => {
    records = page.named ? [page.named, ...page.records] : page.records;
    ({ cursor } = page);
    return contents();
  }, () => {
    drawBar();
    drawDetail();
  });
}

function readPage(model, from) {
  return get(withQuery(at`environments/${environment}/conflicts`, {
    model, cursor: from, limit: PAGE,
  }));
}

/** The record that the address names, if the page of the inbox does not have it; or null. */
async function readNamed(page) {
  const { guid, of } = parameters();
  if (!guid || !of || page.records.some((record) => record.guid === guid)) return null;
  try {
    const record = await findRecord(environment, of, guid);
    if (record.conflicted) return record;
  } catch (error) {
    if (error.status !== 404) throw error;
  }
  toast("That record is no longer in conflict");
  setParameters({ guid: null, of: null }, false);
  return null;
}

/** The inbox with the way to the next page. */
function contents() {
  return records.length === 0 ? nothing() : [list(), cursor && button("Next page", () => {
    setParameters({ cursor, guid: null, of: null });
    read();
  })];
}

function nothing() {
  return emptyState("No conflicts", "Records appear here when two people have changed the same "
    + "one without seeing each other, and the conflict mode keeps both.");
}

function modelOf(record) {
  return definition.models.find((model) => model.name === record.model);
}

function chosen() {
  const { guid } = parameters();
  return records.find((record) => record.guid === guid) ?? records[0];
}

function list() {
  const present = chosen();
  return el("ul", { class: "plain inbox" }, records.map((record) => el("li", {},
    el("a", {
      href: `?${new URLSearchParams({ guid: record.guid, of: record.model })}`,
      "aria-current": record === present ? "true" : null,
      onclick: (event) => {
        event.preventDefault();
        open(record);
      },
    }, el("span", { class: "bad" }, "▲ "), recordTitle(record, modelOf(record))),
    " ", el("small", {}, `${record.model}, ${record.conflicts.length}`))));
}

function open(record) {
  setParameters({ guid: record.guid, of: record.model });
  fill(inbox, contents());
  inbox.querySelector("[aria-current]")?.focus();
  drawDetail();
}

function drawDetail(note = null) {
  const record = chosen();
  if (!record) return fill(detail);
  if (record.guid !== choicesOf) choices = {};
  choicesOf = record.guid;
  const said = note && el("p", { class: "stale", role: "status" }, note);
  return fill(detail, el("h2", {}, recordTitle(record, modelOf(record))), said, conflictView({
    environment, record, model: modelOf(record), choices,
    moved: () => moved(record), done: () => {
      toast("Resolved");
      choicesOf = null;
      setParameters({ guid: null, of: null }, false);
      return read();
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

/** Made once: what has the focus keeps it, whatever is chosen. */
function makeBar() {
  const models = [["", "all models"], ...definition.models.map((model) => model.name)];
  controls.model = longSelect(() => models, parameters().model ?? "", {
    "aria-label": "Model", onchange: (event) => {
      setParameters({ model: event.target.value, guid: null, of: null, cursor: null });
      read();
    } });
  controls.send = button("", () => resolveAll(controls.rule.value));
  controls.many = [
    el("span", {}, "For all that are listed, take"), controls.rule, controls.send,
  ];
  controls.keys = el("span", { class: "faint" });
  fill(bar, controls.model, controls.many, controls.keys);
}

function drawBar() {
  controls.model.choose(parameters().model ?? "");
  fill(controls.send, `Resolve ${records.length}`);
  const areMany = records.length > 1;
  fill(controls.keys, areMany ? "J next, K previous, 1 2 3 choose" : "1 2 3 choose");
  controls.keys.hidden = records.length === 0;
  for (const each of controls.many) each.hidden = !areMany;
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
