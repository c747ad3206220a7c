// Values of fields: how they look, and how they are typed. A value, null, an empty text, and a
// value that the reader may not see all look different, not by their colour alone.
import { el, select } from "./dom.js";
import { integer, numberText } from "./exact.js";

/** A moment in milliseconds since 1970, in UTC; to the second if it is not a value of a field. */
export function moment(milliseconds, isValue = false) {
  const date = new Date(Number(numberText(milliseconds)));
  if (Number.isNaN(date.getTime())) return el("span", {}, numberText(milliseconds));
  const text = date.toISOString();
  const short = text.replace("T", " ")
    .replace(isValue ? /(:00)?\.000Z$|Z$/ : /\.\d+Z$/, " UTC");
  return el("time", { datetime: text }, short);
}

/** A day in UTC, by a moment of it in milliseconds since 1970. */
export function day(milliseconds) {
  const text = new Date(milliseconds).toISOString().slice(0, 10);
  return el("time", { datetime: text }, text);
}

/** The day on which a user or a device was last seen, if it is known. */
export function seenDay({ lastSeen }) {
  return lastSeen === null ? "unknown" : day(lastSeen);
}

/** A value as a node. `undefined` is a value that the reader may not see. */
export function valueNode(value, type) {
  if (value === undefined) {
    return el("span", { class: "absent", title: "The reader may not see it" }, "not theirs");
  }
  if (value === null) {
    return el("span", { class: "null" }, "∅", el("span", { class: "unseen" }, " null"));
  }
  if (value === "") return el("span", { class: "empty-text" }, "empty text");
  if (type === "DATE") return moment(value, true);
  if (type === "FILE") return el("span", { class: "value" }, value.filename ?? "");
  return el("span", { class: "value" }, valueText(value));
}

/** A value in a sentence. */
export function valueText(value) {
  if (value === undefined) return "not theirs";
  if (value === null) return "null";
  if (value === "") return "an empty text";
  if (typeof value === "string") return value;
  if (typeof value === "object" && "filename" in value) return value.filename;
  return typeof value === "boolean" ? String(value) : numberText(value);
}

/** The first text of a record, or the beginning of its guid. */
export function recordTitle(record, model) {
  const first = model.fields.find((each) => each.type === "TEXT" && record.fields?.[each.name]);
  return first ? record.fields[first.name] : record.guid.slice(0, 8);
}

/** So many records are offered for a relation; others are given by their guids. */
export const MOST_OFFERED = 100;

/** Records of a model as `valueInput` offers them, by their titles. */
export const offers = (records, model) => records.slice(0, MOST_OFFERED).map((record) => {
  const [title, start] = [recordTitle(record, model), record.guid.slice(0, 8)];
  return [record.guid, title === start ? start : `${title.slice(0, 60)} (${start})`];
}).sort(([, one], [, other]) => one.localeCompare(other));

/**
 * A control for a field of a definition, with `read()`, which returns the value or throws an Error
 * that says how to mend it. An unchanged control has its first value. `offered` are records for
 * a relation, as `offers` makes them. Null for a file: see `fileInput`.
 */
export function valueInput(field, value, attributes = {}, offered = null) {
  switch (field.type) {
    case "BOOLEAN": return booleanInput(field, value, attributes);
    case "DATE": return dateInput(value, attributes);
    case "TEXT": return textInput(field, value, attributes);
    case "FILE": return null;
    case "BELONGS_TO": return offered ? relationInput(field, value, attributes, offered)
      : lineInput(field, value, attributes);
    default: return lineInput(field, value, attributes);
  }
}

function booleanInput(field, value, attributes) {
  const control = select([["", "∅ no value"], "true", "false"], String(value ?? ""), attributes);
  control.read = () => (control.value === "" ? null : control.value === "true");
  return control;
}

// The years 1 to 9999, which controls for date and time can show.
const [FIRST_MOMENT, LAST_MOMENT] = [-62_135_596_800_000, 253_402_300_799_999];

/** A control for a moment; one for a number of milliseconds if its year has more digits. */
export function dateInput(value, attributes = {}) {
  const isEmpty = value === null || value === undefined;
  const number = isEmpty ? 0 : Number(numberText(value));
  const isShown = number >= FIRST_MOMENT && number <= LAST_MOMENT;
  const control = isShown
    ? el("input", {
      type: "datetime-local", step: "0.001", max: "9999-12-31T23:59:59.999",
      value: isEmpty ? "" : new Date(number).toISOString().slice(0, -1), ...attributes,
    })
    : el("input", {
      type: "text", autocomplete: "off", title: "Milliseconds since 1970",
      value: numberText(value), ...attributes,
    });
  const first = control.value;
  control.read = () => {
    const text = control.value.trim();
    if (control.validity.badInput) throw new Error("Give the date and the time, or neither.");
    if (control.value === first) return value ?? null;
    if (text === "") return null;
    const moment = isShown ? control.valueAsNumber : integer(text);
    if (moment !== null) return moment;
    throw new Error(`Write milliseconds since 1970, such as 1767225600000; this is '${text}'.`);
  };
  return control;
}

/** An empty control is an empty text, once somebody has typed; null until then. */
function textInput(field, value, attributes) {
  const isLong = /\n/.test(value ?? "") || Number(field.options?.maxLength ?? 0) > 200;
  const control = el(isLong ? "textarea" : "input", {
    ...(isLong ? { rows: 4 } : { type: "text" }), autocomplete: "off", value: value ?? "",
    placeholder: value === null || value === undefined ? "∅" : "", ...attributes,
  });
  // Controls leave out some characters.
  const first = control.value;
  let isNull = value === null || value === undefined;
  control.addEventListener("input", () => { isNull = false; });
  control.clear = () => {
    control.value = "";
    control.placeholder = "∅";
    isNull = true;
  };
  control.read = () => {
    if (isNull) return null;
    return control.value === first ? value ?? "" : control.value;
  };
  return control;
}

function lineInput(field, value, attributes) {
  const isNumber = field.type !== "BELONGS_TO";
  const control = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false", inputmode: isNumber ? "decimal" : null,
    value: value === null || value === undefined ? "" : valueText(value), ...attributes,
  });
  const first = control.value;
  control.read = () => {
    const text = control.value.trim();
    if (control.value === first) return value ?? null;
    if (text === "") return null;
    if (field.type === "INTEGER") {
      const number = integer(text);
      if (number === null) throw new Error(`Write an integer, such as 12; this is '${text}'.`);
      return number;
    }
    if (field.type === "DECIMAL" && !/^-?\d+(\.\d+)?$/.test(text)) {
      throw new Error(`Write a decimal number, such as 12.50; this is '${text}'.`);
    }
    return text;
  };
  return control;
}

/** A choice of records, and of a guid that is typed. */
function relationInput(field, value, attributes, offered) {
  const isOffered = !value || offered.some(([guid]) => guid === value);
  const control = select([["", "∅ no value"], ...(isOffered ? [] : [[value, value]]), ...offered,
    ["other", "another one, by its guid"]], value ?? "", attributes);
  const other = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false",
    "aria-label": `The guid for ${field.name}`,
  });
  control.addEventListener("change", () => {
    if (control.value === "other") control.after(other);
    else other.remove();
  });
  control.read = () => (control.value === "other" ? other.value.trim() : control.value) || null;
  return control;
}

/** A control for a file of a device. `chosen()` is what was chosen: a guid for it, and the file. */
export function fileInput(value) {
  const control = el("input", { type: "file" });
  const guid = crypto.randomUUID();
  control.isNull = false;
  control.chosen = () => control.files[0] && { guid, file: control.files[0] };
  control.read = () => {
    if (control.files[0]) return { filename: control.files[0].name, guid };
    return control.isNull ? null : value ?? null;
  };
  return control;
}
