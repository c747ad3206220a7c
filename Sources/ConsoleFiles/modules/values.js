// Values of fields: how they look, and how they are typed. A value, null, an empty text, and a
// value that the reader may not see all look different, not by their colour alone.
import { el, select } from "./dom.js";
import { integer, numberText } from "./exact.js";

/** A moment in milliseconds since 1970, in UTC; to the second if it is not a value of a field. */
export function moment(milliseconds, isValue = false) {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return el("span", {}, String(milliseconds));
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

/** A value as a node. `undefined` is a value that the reader may not see. */
export function valueNode(value, type) {
  if (value === undefined) {
    return el("span", { class: "absent", title: "The reader may not see it" }, "not theirs");
  }
  if (value === null) {
    return el("span", { class: "null" }, "∅", el("span", { class: "unseen" }, " null"));
  }
  if (value === "") return el("span", { class: "empty-text" }, "empty text");
  if (type === "DATE") return moment(Number(numberText(value)), true);
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

/**
 * A control for a field of a definition, with `read()`, which returns the value or throws an Error
 * that says how to mend it. Null for a file, which cannot be typed.
 */
export function valueInput(field, value, attributes = {}) {
  switch (field.type) {
    case "BOOLEAN": return booleanInput(field, value, attributes);
    case "DATE": return dateInput(value, attributes);
    case "TEXT": return textInput(field, value, attributes);
    case "FILE": return null;
    default: return lineInput(field, value, attributes);
  }
}

function booleanInput(field, value, attributes) {
  const control = select([["", "∅ no value"], "true", "false"], String(value ?? ""), attributes);
  control.read = () => (control.value === "" ? null : control.value === "true");
  return control;
}

function dateInput(value, attributes) {
  const text = value === null || value === undefined
    ? "" : new Date(Number(numberText(value))).toISOString().slice(0, -1);
  const control = el("input", {
    type: "datetime-local", step: "0.001", value: text, ...attributes,
  });
  control.read = () => {
    if (control.validity.badInput) throw new Error("Give the date and the time, or neither.");
    return control.value === "" ? null : new Date(`${control.value}Z`).getTime();
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
  let isNull = value === null || value === undefined;
  control.addEventListener("input", () => { isNull = false; });
  control.clear = () => {
    control.value = "";
    control.placeholder = "∅";
    isNull = true;
  };
  control.read = () => (isNull ? null : control.value);
  return control;
}

function lineInput(field, value, attributes) {
  const isNumber = field.type !== "BELONGS_TO";
  const control = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false", inputmode: isNumber ? "decimal" : null,
    value: value === null || value === undefined ? "" : valueText(value), ...attributes,
  });
  control.read = () => {
    const text = control.value.trim();
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
