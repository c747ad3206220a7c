// The limits of fields by their types, and what a change of the type or format takes with it.
import { fieldPath, optionPath, optionsOf } from "./outline.js";

export const types = ["TEXT", "INTEGER", "DECIMAL", "BOOLEAN", "DATE", "BELONGS_TO", "FILE"];

/** `option` elements and Waggle's own attributes of each type, with their labels. */
export const limits = {
  TEXT: [["option", "maxLength", "longest"], ["own", "minLength", "shortest"],
    ["own", "pattern", "pattern"], ["own", "allowedValues", "one of"],
    ["own", "maxBytes", "bytes"]],
  INTEGER: [["option", "minValue", "from"], ["option", "maxValue", "to"],
    ["own", "allowedValues", "one of"]],
  DECIMAL: [["option", "scale", "digits"], ["option", "minValue", "from"],
    ["option", "maxValue", "to"], ["own", "allowedValues", "one of"]],
  BOOLEAN: [],
  DATE: [["own", "minDate", "from"], ["own", "maxDate", "to"]],
  BELONGS_TO: [],
  FILE: [],
};
/** Options that are on or off, with their labels and whether they are on if omitted. */
export const flags = {
  DECIMAL: [["includeMinValue", "from itself is allowed", true],
    ["includeMaxValue", "to itself is allowed", true]],
  BELONGS_TO: [["analyzeConflict", "conflicts as a unit with that record", false]],
};
/** The attributes that a text cannot have beside each format. */
export const replaced = {
  "": ["maxBytes"],
  json: ["minLength", "pattern", "allowedValues", "unique"],
  base64: ["minLength", "pattern", "allowedValues"],
  geo: ["minLength", "pattern", "allowedValues", "unique", "maxBytes"],
};
export const withDefault = ["TEXT", "INTEGER", "DECIMAL", "BOOLEAN", "DATE"];
export const withUnique = ["TEXT", "INTEGER", "DECIMAL", "DATE", "BELONGS_TO"];

/** Attributes that are not for the new format are removed with the change. */
export const formatChange = (path, format) => [
  { do: "set", path, attribute: "w:format", value: format || null },
  ...replaced[format].map((limit) => ({ do: "set", path, attribute: `w:${limit}`, value: null })),
];

/** The default and the limits are removed with the change; those of integers are of decimals. */
export function typeChange(model, entry, type) {
  const { name, ...attributes } = entry.attributes;
  const path = fieldPath(model, name);
  const isWider = attributes.type === "INTEGER" && type === "DECIMAL";
  const kept = ["w:description", "w:alias", "w:renamedFrom",
    ...(withUnique.includes(type) ? ["w:unique"] : []),
    ...(isWider ? ["defaultValue", "w:allowedValues", "minValue", "maxValue"] : [])];
  const isGone = (each) => !kept.includes(each);
  return [
    { do: "set", path, attribute: "type", value: type },
    ...Object.keys(attributes).filter((each) => /^(w:|defaultValue$)/.test(each)).filter(isGone)
      .map((attribute) => ({ do: "set", path, attribute, value: null })),
    ...optionsOf(entry).map((option) => option.attributes.name).filter(isGone)
      .map((option) => ({ do: "remove", path: optionPath(model, name, option) })),
  ];
}
