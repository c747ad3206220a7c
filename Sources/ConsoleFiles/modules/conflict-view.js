// The conflicts of one record: a row for each disputed field, with base, both sides and the result.
import { button, el, fill, freshID } from "./dom.js";
import { isSame } from "./exact.js";
import { changeID, refusalOf, sendChanges } from "./record-cells.js";
import { errorText } from "./states.js";
import { valueInput, valueNode, valueText } from "./values.js";

/** The fields in dispute, in the order of the definition. */
export function disputedFields(record, model) {
  const names = new Set(record.conflicts.flatMap((conflict) =>
    [conflict.base, conflict.mine, conflict.theirs].flatMap((side) =>
      Object.keys(side?.fields ?? {}))));
  return model.fields.filter((each) => names.has(each.name));
}

/** The change that resolves a record with these values. */
export function resolution(record, values, isDeletion = false) {
  const fields = Object.fromEntries(Object.entries(values).filter(([name, value]) =>
    !isSame(value, record.fields?.[name] ?? null) || record.deleted));
  const { model, guid } = record;
  const resolve = {
    id: changeID(), action: "resolve", model, guid, base: record.revision,
    ...(Object.keys(fields).length > 0 && !isDeletion ? { fields } : {}),
  };
  return isDeletion && !record.deleted
    ? [resolve, { id: changeID(), action: "delete", model, guid }] : [resolve];
}

/**
 * Shows a record and lets the operator choose. `choices` is kept by the caller, so that it outlives
 * a record that moves: name of the field to `{kind, value}`, of which the value counts; without one
 * the record decides.
 */
export function conflictView({ environment, record, model, choices, moved, done }) {
  const fields = disputedFields(record, model);
  const failure = el("div", { role: "alert" });
  const summary = el("p", { role: "status" });
  const isEverDeleted = record.deleted || record.conflicts.some(({ mine }) => mine.deleted);
  const results = new Map();
  const tell = () => {
    fill(summary, sentence(record, model, choices));
    const values = chosenValues(record, choices);
    for (const [each, node] of results) fill(node, "→ ", valueNode(values[each.name], each.type));
  };
  const submit = el("button", { type: "submit", class: "primary" }, "Resolve");
  const send = async (event) => {
    event.preventDefault();
    if (submit.disabled) return;
    submit.disabled = true;
    try {
      fill(failure);
      await resolve(environment, record, choices);
      await done();
    } catch (error) {
      await movedOrRefused(error, moved).catch((last) => fill(failure, errorText(last)));
    } finally {
      submit.disabled = false;
    }
  };
  for (const each of fields) choices[each.name] = present(choices[each.name], each.name, record);
  if (isEverDeleted) choices[""] ??= { kind: record.deleted ? "deleted" : "kept" };
  for (const each of fields) results.set(each, el("output", { class: "result" }));
  tell();
  return el("form", { class: "three-way", "aria-label": "Conflict", onsubmit: send },
    el("p", {}, record.conflicts.map((conflict) => deletionText(conflict))),
    isEverDeleted && deletionChoice(choices, tell),
    takeBoth(record, fields, choices, tell),
    fields.map((each) => {
      const set = row(each, record, choices, tell);
      set.append(results.get(each));
      return set;
    }),
    undisputed(record, model, fields), failure, summary,
    el("div", { class: "buttons" }, submit));
}

/** Throws the error, or that of showing a record that has moved. */
async function movedOrRefused(error, moved) {
  if (error.code !== "resolutionStale") throw error;
  await moved();
}

/**
 * A choice as it is for the record now. The value that was seen is what was chosen: if its side has
 * another one or is gone, it is another value.
 */
function present(choice, name, record) {
  if (!choice || choice.kind === "faulty" || !("value" in choice)) return { kind: "theirs" };
  const isThere = sidesOf(name, record).some(({ kind, value }) =>
    kind === choice.kind && isSame(value, choice.value));
  return isThere ? choice : { kind: "other", value: choice.value };
}

const by = (side) => (side.login ? ` by ${side.login}` : "");

function deletionText({ mine, theirs }) {
  return [mine.deleted && `${mine.login ?? "Somebody"} wants to delete this record. `,
    theirs.deleted && `The record was deleted${by(theirs)}. `];
}

function deletionChoice(choices, tell) {
  const options = [["kept", "The record stays"], ["deleted", "The record is deleted"]];
  return radios("The record", options.map(([kind, text]) => ({
    text, isChosen: choices[""].kind === kind,
    choose: () => {
      choices[""] = { kind };
      tell();
    },
  })));
}

/** Where nobody else has changed the fields of the other side, both sides fit together. */
function takeBoth(record, fields, choices, tell) {
  if (!record.conflicts.every((conflict) => conflict.parallel)) return null;
  return button("Take both", (event) => {
    for (const each of fields) {
      const sides = sidesOf(each.name, record).filter(({ kind }) => kind.startsWith("mine"));
      const last = sides.at(-1);
      if (last) choices[each.name] = { kind: last.kind, value: last.value };
    }
    for (const set of event.target.form.querySelectorAll("fieldset")) set.show?.();
    tell();
  });
}

/** The sides of a field, each with its value. */
function sidesOf(name, record) {
  const sides = [];
  const first = record.conflicts[0];
  if (name in (first.base?.fields ?? {})) {
    sides.push({ kind: "base", title: "base", value: first.base.fields[name] });
  }
  record.conflicts.forEach(({ mine }, index) => {
    if (name in (mine.fields ?? {})) {
      sides.push({
        kind: index === 0 ? "mine" : `mine ${index + 1}`, title: `mine${by(mine)}`,
        value: mine.fields[name],
      });
    }
  });
  const { theirs } = record.conflicts.at(-1);
  sides.push({
    kind: "theirs", title: record.deleted ? "as it was" : `theirs${by(theirs)}`,
    value: record.fields?.[name] ?? null,
  });
  return sides;
}

function row(each, record, choices, tell) {
  const sides = sidesOf(each.name, record);
  const other = valueInput(each, choices[each.name].value ?? record.fields?.[each.name] ?? null,
    { "aria-label": `Another value of ${each.name}` });
  const choose = (choice) => {
    choices[each.name] = choice;
    tell();
  };
  const chosen = choices[each.name];
  const options = sides.map((side) => ({
    text: [`${side.title}: `, valueNode(side.value, each.type)],
    isChosen: chosen.kind === side.kind,
    choose: () => choose({ kind: side.kind, value: side.value }),
  }));
  if (!other && chosen.kind === "other") {
    options.push({
      text: ["as chosen before: ", valueNode(chosen.value, each.type)], isChosen: true,
      choose: () => choose(chosen),
    });
  }
  const set = radios(each.name, options);
  set.show = () => {
    const index = sides.findIndex(({ kind }) => kind === choices[each.name].kind);
    const radio = set.querySelectorAll("input[type=radio]")[index];
    if (radio) radio.checked = true;
  };
  if (!other) return set;
  const radio = el("input", {
    type: "radio", name: set.group, checked: chosen.kind === "other", id: freshID("side"),
    onchange: () => read(),
  });
  const refusal = el("p", { class: "field-error", hidden: true });
  const read = () => {
    try {
      refusal.hidden = true;
      choose({ kind: "other", value: other.read() });
    } catch (error) {
      fill(refusal, error.message);
      refusal.hidden = false;
      choose({ kind: "faulty" });
    }
  };
  other.addEventListener("input", () => {
    radio.checked = true;
    read();
  });
  set.append(el("div", { class: "side" }, radio,
    el("label", { for: radio.id }, "another value"), other, refusal));
  return set;
}

function radios(legend, options) {
  const group = freshID("group");
  const set = el("fieldset", { class: "sides", dataset: { sides: "" } },
    el("legend", {}, legend), options.map(({ text, isChosen, choose }) => {
      const id = freshID("side");
      return el("div", { class: "side" },
        el("input", { type: "radio", name: group, id, checked: isChosen, onchange: choose }),
        el("label", { for: id }, text));
    }));
  set.group = group;
  return set;
}

function undisputed(record, model, disputed) {
  const rest = model.fields.filter((each) => !disputed.includes(each));
  return rest.length > 0 && el("dl", { class: "values faint" }, rest.map((each) => [
    el("dt", {}, each.name), el("dd", {}, valueNode(record.fields?.[each.name], each.type))]));
}

/** The chosen values of a record that stays. A row that cannot be read has none. */
export function chosenValues(record, choices) {
  return Object.fromEntries(Object.entries(choices)
    .filter(([name, { kind }]) => name !== "" && kind !== "faulty")
    .map(([name, choice]) => [name, "value" in choice
      ? choice.value : record.fields?.[name] ?? null]));
}

const faulty = (choices) =>
  Object.keys(choices).filter((name) => choices[name].kind === "faulty");

function sentence(record, model, choices) {
  const count = record.conflicts.length;
  const closes = `closes ${count} ${count === 1 ? "conflict" : "conflicts"}`;
  if (choices[""]?.kind === "deleted") return `The record is deleted; ${closes}.`;
  const unread = faulty(choices);
  if (unread.length > 0) return `The value of ${unread.join(" and ")} cannot be read.`;
  const changed = Object.entries(chosenValues(record, choices)).filter(([name, value]) =>
    record.deleted || !isSame(value, record.fields?.[name] ?? null));
  const becomes = changed.map(([name, value]) => `${name} becomes ${valueText(value)}`);
  return `${becomes.join(", ") || "The values stay"}; ${closes}.`;
}

/** Throws if a value cannot be read, and the refusal if the record has moved or may not be so. */
async function resolve(environment, record, choices) {
  const isDeletion = choices[""]?.kind === "deleted";
  const unread = isDeletion ? [] : faulty(choices);
  if (unread.length > 0) throw new Error(`the value of ${unread.join(" and ")} cannot be read`);
  const changes = resolution(record, chosenValues(record, choices), isDeletion);
  for (const outcome of await sendChanges(environment, changes)) {
    const refusal = refusalOf(outcome);
    if (refusal) throw refusal;
  }
}

