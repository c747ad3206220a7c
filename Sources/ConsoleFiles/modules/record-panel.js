// One record beside the list: values, relations both ways, history, and the form to change it.
import { at, get, withQuery } from "./api.js";
import { startingValue } from "./definition.js";
import { confirmDanger, openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { environmentAddress, isTest } from "./pages.js";
import {
  changeID, findRecord, findRecords, readFields, reassign, refusalOf, sendChanges, showCauses,
} from "./record-cells.js";
import { load, toast } from "./states.js";
import { findUsers, userField } from "./user-field.js";
import { MOST_OFFERED, moment, offers, valueInput, valueNode, valueText } from "./values.js";

const MOST_RELATED = 10;

/**
 * Draws the panel. `place` has `environment`, `definition`, `model`, `guid`, `view`, `mayChange`,
 * and the functions `close`, `changed` and `open(model, guid)`.
 */
export function recordPanel(node, place) {
  const { environment, model, guid, view } = place;
  const heading = el("h2", { tabindex: "-1", id: "record-heading" }, model.name, " ",
    el("code", {}, guid.slice(0, 8)));
  const body = el("div", {});
  fill(node, el("section", {
    class: "panel", "aria-labelledby": "record-heading",
    onkeydown: (event) => { if (event.key === "Escape") place.close(); },
  },
    el("div", { class: "toolbar" }, heading, button("Close", place.close, { kind: "quiet" })),
    body));
  return load(body, () => findRecord(environment, model.name, guid, view),
    (record) => contents(record, place));
}

function contents(record, place) {
  const { environment, model } = place;
  const rest = { out: relationsOut(record, place), in: el("div", {}), history: el("div", {}) };
  load(rest.in, () => relationsIn(record, place), (list) => list);
  load(rest.history, () => readHistory(record, place), (page) => history(page, record, place));
  return [
    record.conflicted && el("p", { class: "bad" }, "▲ In conflict. ", el("a", {
      href: `${environmentAddress(environment, "conflicts")}?${new URLSearchParams({
        guid: record.guid, of: model.name })}`,
    }, "Resolve")),
    el("dl", { class: "values" }, model.fields.map((each) => [
      el("dt", {}, each.name),
      el("dd", {}, valueNode(record.fields?.[each.name], each.type)),
    ])),
    el("dl", { class: "values faint" },
      [["guid", record.guid], ["revision", record.revision], ["owner", record.owner],
        ["group", record.group]].map(([name, value]) => [
        el("dt", {}, name), el("dd", {}, el("code", {}, String(value)))])),
    place.mayChange && el("div", { class: "buttons" },
      button("Edit", () => edit(record, place)),
      button("Change owner", () => changeOwner(record, place)),
      button("Delete", () => erase(record, place), { kind: "danger" })),
    el("p", {}, el("a", {
      href: `${environmentAddress(environment, "explain")}?${new URLSearchParams({
        model: model.name, guid: record.guid })}`,
    }, "Who may read or change it, and why?")),
    el("h3", {}, "Belongs to"), rest.out,
    el("h3", {}, "Belongs to it"), rest.in,
    files(record, environment, model),
    el("h3", {}, "History"), rest.history,
  ];
}

function link(place, model, guid) {
  return el("a", {
    href: `?${new URLSearchParams({ model, guid })}`, onclick: (event) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      place.open(model, guid);
    },
  }, `${model} ${guid.slice(0, 8)}`);
}

function relationsOut(record, place) {
  const relations = place.model.fields.filter((each) => each.type === "BELONGS_TO");
  if (relations.length === 0) return el("p", { class: "faint" }, "Its model has no relation.");
  return el("ul", { class: "plain" }, relations.map((each) => {
    const target = record.fields?.[each.name];
    return el("li", {}, `${each.name}: `,
      target ? link(place, each.target, target) : valueNode(target));
  }));
}

/** The first records that belong to this one, by relation. */
async function relationsIn(record, place) {
  const { environment, view } = place;
  const { incoming } = await get(withQuery(
    at`environments/${environment}/records/${record.model}/${record.guid}/relations`,
    view ? { as: view.login, device: view.category } : {}));
  if (incoming.length === 0) return el("p", { class: "faint" }, "No model refers to its model.");
  return el("ul", { class: "plain" }, incoming.map(({ model, field: name, records, more }) => {
    const filter = JSON.stringify({ eq: [name, record.guid] });
    return el("li", {}, `${model}, by ${name}: `,
      records.length === 0 ? "none" : records.slice(0, MOST_RELATED).map((other, index) =>
        [index > 0 && ", ", link(place, model, other.guid)]),
      (more || records.length > MOST_RELATED)
        && [" ", el("a", { href: `?${new URLSearchParams({ model, filter })}` }, "all")]);
  }));
}

function files(record, environment, model) {
  const fields = model.fields.filter((each) => each.type === "FILE" && record.fields?.[each.name]);
  if (fields.length === 0) return null;
  return [el("h3", {}, "Files"), el("ul", { class: "plain" }, fields.map((each) => {
    const { filename, guid } = record.fields[each.name];
    return el("li", {}, `${each.name}: `, el("a", {
      href: `/admin/v1/${at`environments/${environment}/files/${guid}`}`, download: filename,
    }, filename), " ", el("code", {}, guid.slice(0, 8)));
  }))];
}

/** A page of the history, the newest entries first. */
function readHistory(record, { environment, model, view }, cursor = null) {
  return get(withQuery(
    at`environments/${environment}/records/${model.name}/${record.guid}/history`,
    { limit: 50, cursor, ...(view ? { as: view.login, device: view.category } : {}) }));
}

/** The first page of the history, and a button that appends the next one. */
function history(first, record, place) {
  if (first.entries.length === 0) return el("p", { class: "faint" }, "Nothing to see.");
  const entries = el("ol", { class: "plain history" });
  const more = el("div", {});
  const add = (page) => {
    entries.append(...page.entries.map((entry) => historyEntry(entry, record, place)));
    return page.cursor && button("Earlier entries", () => {
      const next = entries.children.length;
      return load(more, () => readHistory(record, place, page.cursor), add,
        () => goTo(entries.children[next]));
    });
  };
  fill(more, add(first));
  return [entries, more];
}

/** The button that had the focus may be gone. */
function goTo(entry) {
  entry?.setAttribute("tabindex", "-1");
  entry?.focus();
}

function historyEntry(entry, record, place) {
  const { model } = place;
  const type = (name) => model.fields.find((each) => each.name === name)?.type;
  const values = (title, fields) => Object.keys(fields ?? {}).length > 0 && el("dl", {
    class: "values" }, Object.entries(fields).map(([name, value]) => [
    el("dt", {}, `${name}, ${title}`), el("dd", {}, valueNode(value, type(name)))]));
  return el("li", {},
    el("strong", {}, entry.kind), ` by ${entry.login ?? "nobody known"}`,
    entry.deviceCategory && ` on ${entry.deviceCategory}`, ", ", moment(entry.at),
    ` (revision ${entry.revision})`,
    values("before", entry.before), values("wanted", entry.wanted),
    mayPutBack(entry, record, place) && button("Put back", () => putBack(entry, record, place), {
      kind: "quiet", "aria-label": `Put back what was before revision ${entry.revision}` }),
    entry.kind === "reassigned"
      && el("p", {}, `before: owner ${entry.owner}, group ${entry.group}`));
}

// MARK: Changing

/** Whether an entry replaced values that an operator may restore. */
function mayPutBack({ kind, before }, record, place) {
  return place.mayChange && !record.deleted && ["updated", "resolved"].includes(kind)
    && Object.keys(before ?? {}).length > 0;
}

async function putBack(entry, record, place) {
  const { environment, model } = place;
  const values = Object.entries(entry.before).map(([name, value]) =>
    `${name} becomes ${valueText(value)}`).join(", ");
  const done = await openDialog({
    title: "Put back?", text: [`${values}.`, warning(environment)].filter(Boolean).join(" "),
    confirm: "Put back", action: () => change(environment, [], {
      id: changeID(), action: "update", model: model.name, guid: record.guid,
      base: record.revision, fields: entry.before,
    }),
  });
  if (done !== null) place.changed();
}

/**
 * The first records of the models that relations of a model lead to, by the names of the models. A
 * guid can be typed instead: nothing is offered of what cannot be read.
 */
async function offered(environment, definition, model) {
  const targets = new Set(model.fields.map((each) => each.target));
  return Object.fromEntries(await Promise.all(
    definition.models.filter(({ name }) => targets.has(name)).map(async (target) => {
      const { records } = await findRecords(environment, target.name, { limit: MOST_OFFERED })
        .catch(() => ({ records: [] }));
      return [target.name, offers(records, target)];
    })));
}

async function controlsOf({ environment, definition, model }, record) {
  const known = await offered(environment, definition, model);
  return model.fields.map((each) => {
    const value = record ? record.fields?.[each.name] : startingValue(each);
    const control = valueInput(each, value, {}, known[each.target]);
    if (!control) return null;
    const node = field(each.name, control, { help: help(each) });
    if (control.clear && !each.isRequired) {
      control.after(button("∅ No value", control.clear, {
        kind: "quiet", "aria-label": `No value for ${each.name}` }));
    }
    return { field: each, value, control, node };
  }).filter(Boolean);
}

function help(each) {
  const limits = Object.entries(each.options).filter(([name]) => name !== "model")
    .map(([name, value]) => `${name} ${value}`);
  return [each.type, each.isRequired && "required", ...limits,
    each.target && `a record of ${each.target}`].filter(Boolean).join(", ");
}

/** Warns where records are those of real people. */
const warning = (environment) => (isTest(environment) ? null
  : `This changes ${environment}. The history of the record names you.`);

async function edit(record, place) {
  const { environment, model } = place;
  const controls = await controlsOf(place, record);
  const done = await openDialog({
    title: `Edit ${model.name}`, text: warning(environment),
    content: controls.map(({ node }) => node), confirm: "Save",
    action: async () => {
      const fields = readFields(controls);
      if (fields === null) throw new Error("some values cannot be read");
      if (Object.keys(fields).length === 0) return true;
      return change(environment, controls, {
        id: changeID(), action: "update", model: model.name, guid: record.guid,
        base: record.revision, fields,
      });
    },
  });
  if (done !== null) place.changed();
}

/** Asks for the user and the group that the record belongs to from now on. */
async function changeOwner(record, place) {
  const { environment, model, definition } = place;
  const owner = userField(environment, "Owner", { required: true, value: record.owner });
  const group = select([...new Set([record.group, ...definition.groups])], record.group);
  const done = await openDialog({
    title: `Change the owner of this ${model.name}`,
    text: ["Devices that may no longer read it remove it when they sync.", warning(environment)]
      .filter(Boolean).join(" "),
    content: [owner, field("Group", group)],
    confirm: "Change",
    action: async () => {
      // A user who was removed may still own it.
      const login = owner.control.value.trim();
      await reassign(environment, record,
        { ...(login === record.owner ? {} : { owner: login }), group: group.value });
      toast("Saved");
      return true;
    },
  });
  if (done !== null) place.changed();
}

async function change(environment, controls, message, owner) {
  const [outcome] = await sendChanges(environment, [message], owner);
  const refusal = refusalOf(outcome);
  if (refusal) {
    showCauses(controls, refusal.causes);
    throw refusal;
  }
  toast(outcome.outcome === "accepted" ? "Saved" : `The change is ${outcome.outcome}`);
  return true;
}

async function erase(record, place) {
  const { environment, model } = place;
  const done = await confirmDanger(
    `Delete this ${model.name}?`, warning(environment) ?? "Devices remove it when they sync.",
    "Delete", () => change(environment, [], {
      id: changeID(), action: "delete", model: model.name, guid: record.guid,
      base: record.revision,
    }));
  if (done) {
    place.close();
    place.changed();
  }
}

/** Asks for the values of a new record and the user who owns it. */
export async function newRecord({ environment, definition, model, done }) {
  const [first] = await findUsers(environment, "", 1);
  if (!first) {
    await openDialog({
      title: "No user yet", text: "A record belongs to a user: add one first.", cancel: null });
    return;
  }
  const controls = await controlsOf({ environment, definition, model }, null);
  const owner = userField(environment, "Owner", { required: true, value: first.login });
  const guid = crypto.randomUUID();
  const made = await openDialog({
    title: `New ${model.name}`, text: warning(environment), confirm: "Create",
    content: [owner, controls.map(({ node }) => node)],
    action: () => {
      const fields = readFields(controls);
      if (fields === null) throw new Error("some values cannot be read");
      return change(environment, controls, {
        id: changeID(), action: "create", model: model.name, guid, fields,
      }, owner.control.value.trim());
    },
  });
  if (made !== null) done(guid);
}

