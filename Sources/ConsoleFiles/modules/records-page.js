// The records of a model, in pages, with a panel for one of them. All that is chosen is in the
// address: it can be kept, sent and gone back to.
import { columnChooser, shownColumns } from "./column-chooser.js";
import { readDefinition } from "./definition.js";
import { button, el, field, fill } from "./dom.js";
import { exportDialog, importDialog } from "./exchange-dialog.js";
import { filterBuilder } from "./filter-builder.js";
import { longSelect } from "./long-select.js";
import { findRecords, parameters, setParameters } from "./record-cells.js";
import { newRecord, recordPanel } from "./record-panel.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { followChanges } from "./stale.js";
import { emptyState, load } from "./states.js";
import { table } from "./table.js";
import { userField } from "./user-field.js";
import { valueNode } from "./values.js";
import { viewPicker } from "./views.js";

const PAGE = 50;
const shell = await openShell("records");
await onlyFor("keeper", shell, "records");
const { main, environment } = shell;
const bar = el("div", {});
const news = el("div", {});
const rows = el("div", {});
const panel = el("div", {});
const controls = { order: el("select", {
  onchange: (event) => go({ sort: event.target.value, cursor: null }),
}), asked: el("div", {}) };
let definition;
let forgetNews = () => {};

addEventListener("popstate", () => definition?.models.length && draw());
await load(main, async () => {
  definition = await readDefinition(environment, shell.environments);
}, () => (definition.models.length === 0
  ? emptyState("No models", "The definition of this environment has no model.")
  : [bar, el("div", { class: "beside" }, el("div", {}, news, rows), panel)]), () => {
  if (definition.models.length === 0) return;
  makeBar();
  draw();
  forgetNews = followChanges(environment, news, draw,
    shell.environments.find(({ name }) => name === environment));
});

function chosenModel() {
  const { model: name } = parameters();
  return definition.models.find((model) => model.name === name) ?? definition.models[0];
}

/** The user as whom the operator looks; null for the operator. */
function chosenView() {
  const { as, device } = parameters();
  return as && device ? { login: as, category: device } : null;
}

function chosenFilter() {
  try {
    return parameters().filter ? JSON.parse(parameters().filter) : null;
  } catch {
    return null;
  }
}

function draw() {
  drawBar();
  drawRows();
  drawPanel();
}

function go(changes) {
  setParameters(changes);
  draw();
}

function on({ login, category }) {
  return `${login} on ${category}`;
}

/** A user on each device that they may use, as texts to choose. */
function readers({ login, group }) {
  return definition.roles.filter((role) => role.group === group)
    .map(({ category }) => on({ login, category }));
}

/** The parts of such a text. A login alone gets the first category. */
function readerOf(text) {
  const end = (category) => on({ login: "", category });
  const category = definition.categories.find((each) => text.endsWith(end(each)));
  if (!category) return { login: text, category: definition.roles[0]?.category };
  return { login: text.slice(0, -end(category).length), category };
}

/** Made once: what has the focus keeps it, whatever is chosen. */
function makeBar() {
  controls.model = longSelect(() => definition.models.map(({ name }) => name), chosenModel().name, {
    onchange: (event) => go({
      model: event.target.value, view: null, filter: null, sort: null, columns: null, cursor: null,
      guid: null }),
  });
  controls.reader = userField(environment, "As seen by", {
    help: null, placeholder: "the operator: everything", size: 24, suggest: readers,
    searched: (text) => readerOf(text).login, onchange: (event) => {
      const text = event.target.value.trim();
      const { login, category } = readerOf(text);
      go({ as: login, device: text === "" ? null : category, cursor: null });
    },
  });
  controls.views = viewPicker({
    present: () => ({ ...parameters(), application: definition.environment.application,
      model: chosenModel().name }),
    go: (changes) => go({ ...changes, cursor: null }),
  });
  controls.columns = columnChooser((columns) => {
    setParameters({ columns }, false);
    controls.views.draw();
    drawRows();
  });
  controls.buttons = [
    button("New record", () => newRecord({
      environment, definition, model: chosenModel(), done: (guid) => go({ guid }) })),
    button("Import", () => importDialog({ environment, model: chosenModel(), done: draw })),
    button("Export", () => exportDialog(environment, chosenModel())),
  ];
  fill(bar, el("div", { class: "toolbar" },
    field("Model", controls.model), field("Order", controls.order),
    controls.reader, controls.buttons),
  el("div", { class: "toolbar" }, controls.views.nodes), controls.columns.node, controls.asked);
}

function drawBar() {
  const model = chosenModel();
  const view = chosenView();
  const { sort = "", columns } = parameters();
  controls.model.choose(model.name);
  if (controls.order.dataset.model !== model.name) {
    fill(controls.order, [["", "as created"], ...sortKeys(model)].map(([value, text]) =>
      el("option", { value }, text)));
    controls.order.dataset.model = model.name;
  }
  controls.order.value = sort;
  showReader(view ? on(view) : "");
  for (const each of controls.buttons) each.hidden = !mayChange();
  controls.columns.show(model, columns);
  controls.views.draw();
  drawFilter(model);
}

/** A text that is typed and not yet applied stays while the view is the same. */
function showReader(text) {
  const { control } = controls.reader;
  if (control.dataset.shown !== text) control.value = text;
  control.dataset.shown = text;
}

/** Conditions that are typed and not yet applied stay while the filter is the same. */
function drawFilter(model) {
  const { filter = "" } = parameters();
  const place = `${model.name} ${filter}`;
  if (controls.asked.dataset.place === place) return;
  controls.asked.dataset.place = place;
  fill(controls.asked, el("details", { open: Boolean(filter) },
    el("summary", {}, filter ? "Filter (on)" : "Filter"),
    filterBuilder({
      model, models: definition.models, filter: chosenFilter(),
      apply: (next) => {
        delete controls.asked.dataset.place;
        go({ filter: next === null ? null : JSON.stringify(next), cursor: null, guid: null });
      },
    })));
}

function mayChange() {
  return chosenView() === null;
}

function sortKeys(model) {
  return [...model.fields.filter((each) => each.type !== "FILE").map((each) => each.name),
    "$owner", "$changedAt"].flatMap((name) =>
    [[name, `${name}, ascending`], [`-${name}`, `${name}, descending`]]);
}

function drawRows() {
  const model = chosenModel();
  const { filter, sort, cursor } = parameters();
  forgetNews();
  return load(rows, () =>
    findRecords(environment, model.name, { filter, sort, cursor, limit: PAGE }, chosenView()),
  (page) => (page.records.length === 0 && !page.more
    ? emptyState(`No ${model.name} here`, filter
      ? "No record matches the filter." : "Records appear here when a device has synced them.",
    filter && button("All records", () => go({ filter: null, cursor: null })))
    : [recordTable(model, page.records), pageButtons(page, cursor)]));
}

function recordTable(model, records) {
  return table(`Records of ${model.name}`, [
    { title: "Record", kind: "name", cell: recordLink },
    ...shownColumns(model, parameters().columns).map(columnOf),
  ], records);
}

function columnOf({ name, title, field: shown }) {
  if (!shown) return { title, kind: "name", cell: (record) => record[name.slice(1)] };
  return {
    title, kind: ["INTEGER", "DECIMAL"].includes(shown.type) ? "number" : null,
    cell: (record) => el("span", { class: "cell" }, cellNode(record.fields?.[name], shown)),
  };
}

/** Shows a relation by the beginning of the guid, as in the first column. */
function cellNode(value, { type }) {
  const isRelation = type === "BELONGS_TO" && value;
  return isRelation ? el("code", {}, value.slice(0, 8)) : valueNode(value, type);
}

function recordLink(record) {
  const all = new URLSearchParams(location.search);
  all.set("guid", record.guid);
  all.set("model", record.model);
  return [el("a", {
    href: `?${all}`, "aria-current": parameters().guid === record.guid ? "true" : null,
    onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go({ guid: record.guid, model: record.model });
      panel.querySelector("h2")?.focus();
    },
  }, record.guid.slice(0, 8)), record.conflicted && el("span", { class: "bad" }, " ▲ conflict")];
}

function pageButtons(page, cursor) {
  return el("div", { class: "buttons" },
    cursor && button("First page", () => go({ cursor: null })),
    page.more && button("Next page", () => go({ cursor: page.cursor })),
    el("span", { class: "faint" }, page.more ? `${page.records.length} here, and more`
      : `${page.records.length} here`));
}

function drawPanel() {
  const { guid } = parameters();
  if (!guid) {
    panel.closest(".beside")?.classList.add("alone");
    return fill(panel);
  }
  panel.closest(".beside")?.classList.remove("alone");
  return recordPanel(panel, {
    environment, definition, model: chosenModel(), guid, view: chosenView(),
    mayChange: mayChange(), close: () => go({ guid: null }),
    changed: () => { drawRows(); drawPanel(); },
    open: (model, other) => go({
      model, guid: other, view: null, filter: null, sort: null, columns: null, cursor: null }),
  });
}

