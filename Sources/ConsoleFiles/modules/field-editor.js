import { problems } from "./create-frame.js";
import { button, el, longSelect, select } from "./dom.js";
import { icon } from "./icons.js";
import { fieldPath, modelsOf, optionOf, optionPath } from "./outline.js";

const types = ["TEXT", "INTEGER", "DECIMAL", "BOOLEAN", "DATE", "BELONGS_TO", "FILE"];

// The limits of each type: `option` elements, and Waggle's own attributes.
const limits = {
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
// The attributes that a text cannot have beside each format.
const replaced = {
  "": ["maxBytes"],
  json: ["minLength", "pattern", "allowedValues", "unique"],
  base64: ["minLength", "pattern", "allowedValues"],
  geo: ["minLength", "pattern", "allowedValues", "unique", "maxBytes"],
};
const withDefault = ["TEXT", "INTEGER", "DECIMAL", "BOOLEAN", "DATE"];
const withUnique = ["TEXT", "INTEGER", "DECIMAL", "DATE", "BELONGS_TO"];

/** The form of a field: a row with the limits of its type only, and its problems below. */
export function fieldEditor(page, model, entry, { index, count, found }) {
  const { attributes } = entry;
  const name = attributes.name;
  const type = attributes.type ?? "";
  const path = fieldPath(model, name);
  const hidden = type === "TEXT" ? replaced[attributes["w:format"] ?? ""] ?? [] : [];
  const shownLimits = (limits[type] ?? []).filter(([, limit]) => !hidden.includes(limit));
  // By number, so that the focus stays while a name changes.
  const key = (part) => ({ key: `field ${index} ${part}` });
  const set = (attribute, value) =>
    page.edit([{ do: "set", path, attribute, value: value || null }]);
  const input = (label, value, part, onchange, size = 8) => el("label", { class: "inline" }, label,
    el("input", {
      type: "text", value, size, spellcheck: "false", dataset: key(part),
      "aria-invalid": isFaulty(found, part) && "true",
      onchange: (event) => onchange(event.target.value.trim()),
    }));
  const check = (label, attribute) => el("label", { class: "inline" },
    el("input", {
      type: "checkbox", checked: attributes[attribute] === "true", dataset: key(attribute),
      onchange: (event) => set(attribute, event.target.checked ? "true" : null),
    }), label);
  return el("fieldset", { class: "field-row", "aria-label": `Field ${name}` },
    el("div", { class: "toolbar" },
      input("name", name, "name", (to) => to && to !== name && rename(page, model, name, to), 16),
      el("label", { class: "inline" }, "type", select(types, type, {
        dataset: key("type"), onchange: (event) => changeType(page, model, entry,
          event.target.value),
      })),
      type === "BELONGS_TO" && el("label", { class: "inline" }, "to", longSelect(
        () => ["", ...modelsOf(page.draft.outline).map((other) => other.attributes.name)],
        optionOf(entry, "model"), {
          dataset: key("model"), onchange: (event) => page.edit([{
            do: "write", path: optionPath(model, name, "model"), value: event.target.value,
          }]),
        })),
      type === "TEXT" && el("label", { class: "inline" }, "format", select(Object.keys(replaced),
        attributes["w:format"] ?? "", {
          dataset: key("format"), onchange: (event) => changeFormat(page, path,
            event.target.value),
        })),
      check("required", "required"),
      withUnique.includes(type) && !hidden.includes("unique") && check("unique", "w:unique"),
      withDefault.includes(type) && input("default", attributes.defaultValue ?? "", "default",
        (value) => set("defaultValue", value)),
      shownLimits.map(([kind, limit, label]) => kind === "option"
        ? input(label, optionOf(entry, limit), limit, (value) =>
          setOption(page, model, name, limit, value), 6)
        : input(label, attributes[`w:${limit}`] ?? "", limit, (value) =>
          set(`w:${limit}`, value))),
      el("span", { class: "gap" }),
      button(icon("up"), () => move(page, path, index, -1), {
        kind: "quiet icon-only", "aria-label": `Move ${name} up`, disabled: index === 0,
        dataset: key("up"),
      }),
      button(icon("down"), () => move(page, path, index, 1), {
        kind: "quiet icon-only", "aria-label": `Move ${name} down`, disabled: index === count - 1,
        dataset: key("down"),
      }),
      button(icon("close"), () => page.edit([{ do: "remove", path }]), {
        kind: "quiet icon-only", "aria-label": `Remove ${name}`, dataset: key("remove"),
      })),
    problems(found));
}

/** A stored field says what it was called, so that its values stay. */
function rename(page, model, name, to) {
  return page.attempt(() => page.draft.edit(
    [{ do: "set", path: fieldPath(model, name), attribute: "name", value: to }],
    { model, field: name }));
}

/** Moves a field by one place; the focus goes with it, so that it may be moved on. */
async function move(page, path, index, step) {
  const way = step < 0 ? "up" : "down";
  const key = document.activeElement?.dataset.key;
  await page.edit([{ do: "move", path, down: step > 0 }]);
  if (key !== `field ${index} ${way}`) return;
  const other = step < 0 ? "down" : "up";
  const [next, otherNext] = [way, other].map((each) =>
    page.node.querySelector(`[data-key="field ${index + step} ${each}"]`));
  (next?.disabled ? otherNext : next)?.focus();
}

/** A problem of the default is marked at its input too. */
function isFaulty(found, part) {
  return part === "default" && found.some(({ id, severity }) =>
    severity === "error" && id.startsWith("default"));
}

function setOption(page, model, field, option, value) {
  const path = optionPath(model, field, option);
  return page.edit([value ? { do: "write", path, value } : { do: "remove", path }]);
}

/** Attributes that are not for the new format are removed with the change. */
function changeFormat(page, path, format) {
  return page.edit([
    { do: "set", path, attribute: "w:format", value: format || null },
    ...replaced[format]
      .map((limit) => ({ do: "set", path, attribute: `w:${limit}`, value: null })),
  ]);
}

/** Limits that the new type does not have are removed with the change. */
function changeType(page, model, entry, type) {
  const name = entry.attributes.name;
  const path = fieldPath(model, name);
  const kept = new Set((limits[type] ?? []).map(([, limit]) => limit));
  const old = limits[entry.attributes.type] ?? [];
  const options = ["minValue", "maxValue", "scale", "maxLength", "model", "includeMinValue",
    "includeMaxValue", "analyzeConflict"];
  return page.edit([
    { do: "set", path, attribute: "type", value: type },
    ...(type === "TEXT" ? [] : [{ do: "set", path, attribute: "w:format", value: null }]),
    ...options.filter((option) => !kept.has(option) && optionOf(entry, option) !== "")
      .map((option) => ({ do: "remove", path: optionPath(model, name, option) })),
    ...old.filter(([kind, limit]) => kind === "own" && !kept.has(limit))
      .map(([, limit]) => ({ do: "set", path, attribute: `w:${limit}`, value: null })),
    ...(withDefault.includes(type) ? []
      : [{ do: "set", path, attribute: "defaultValue", value: null }]),
  ]);
}
