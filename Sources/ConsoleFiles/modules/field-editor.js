import { problems } from "./create-frame.js";
import { formerly } from "./deployed-names.js";
import { button, el, select } from "./dom.js";
import { integer, numberText } from "./exact.js";
import {
  flags, formatChange, limits, replaced, typeChange, types, withDefault, withUnique,
} from "./field-limits.js";
import { icon } from "./icons.js";
import { longSelect } from "./long-select.js";
import { fieldPath, modelsOf, optionOf, optionPath } from "./outline.js";
import { dateInput } from "./values.js";

/**
 * The form of a field: a row with the limits of its type only, and its problems below. The key of
 * each control ends with the attribute or option that it sets.
 */
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
  const text = (label, attribute, size) => input(label, attributes[attribute] ?? "", attribute,
    (value) => set(attribute, value), size);
  const check = (label, part, isOn, onchange) => el("label", { class: "inline" },
    el("input", {
      type: "checkbox", checked: isOn, dataset: key(part),
      onchange: (event) => onchange(event.target.checked),
    }), label);
  const flag = (label, attribute) => check(label, attribute, attributes[attribute] === "true",
    (isOn) => set(attribute, isOn ? "true" : null));
  const option = (part, value) => setOption(page, model, entry, part, value);
  return el("fieldset", { class: "field-row", "aria-label": `Field ${name}` },
    el("div", { class: "toolbar" },
      input("name", name, "name", (to) => to && to !== name && rename(page, model, name, to), 16),
      el("label", { class: "inline" }, "type", select(types, type, {
        dataset: key("type"),
        onchange: (event) => page.edit(typeChange(model, entry, event.target.value)),
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
          dataset: key("w:format"),
          onchange: (event) => page.edit(formatChange(path, event.target.value)),
        })),
      flag("required", "required"),
      withUnique.includes(type) && !hidden.includes("unique") && flag("unique", "w:unique"),
      type === "DATE" && defaultDate(attributes.defaultValue, set, {
        dataset: key("defaultValue"), "aria-invalid": isFaulty(found, "defaultValue") && "true",
      }) || withDefault.includes(type) && text("default", "defaultValue"),
      shownLimits.map(([kind, limit, label]) => kind === "option"
        ? input(label, optionOf(entry, limit), limit, (value) => option(limit, value), 6)
        : text(label, `w:${limit}`)),
      formerly(page, path, entry, key),
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
    more(`${model} ${index}`, key("more"), attributes, ["description", "alias"],
      text("description", "w:description", 40), text("alias", "w:alias", 16),
      (flags[type] ?? []).map(([part, label, isUsual]) =>
        check(label, part, (optionOf(entry, part) || String(isUsual)) === "true",
          (isOn) => option(part, isOn === isUsual ? "" : String(isOn))))),
    problems(found));
}

// The models and fields whose rare settings are shown.
const opened = new Set();

/** Rare settings, which are shown when somebody asks for them. Those `named` are told if set. */
export function more(place, dataset, attributes, named, ...content) {
  const names = named.filter((each) => attributes[`w:${each}`]).join(", ");
  return el("details", {
    class: "more", open: opened.has(place), ontoggle: ({ target }) => {
      if (target.open) opened.add(place);
      else if (target.isConnected) opened.delete(place);
    },
  },
    el("summary", { dataset }, names ? `more: ${names}` : "more"),
    el("div", { class: "toolbar" }, content));
}

/** The default of a date, with a control for date and time. Null if it is no moment. */
function defaultDate(written, set, attributes) {
  const value = written === undefined ? null : integer(written);
  if (written !== undefined && value === null) return null;
  const control = dateInput(value, {
    ...attributes, onblur: () => {
      try {
        const given = control.read();
        if (given !== value) set("defaultValue", given === null ? null : numberText(given));
      } catch {
        control.setAttribute("aria-invalid", "true");
      }
    },
  });
  return el("label", { class: "inline" }, "default", control);
}

/** A stored field says what it was called, so that its values stay. */
function rename(page, model, name, to) {
  return page.attempt(() => page.draft.edit(
    [{ do: "set", path: fieldPath(model, name), attribute: "name", value: to }],
    { model, field: name, to }));
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
  return part === "defaultValue" && found.some(({ id, severity }) =>
    severity === "error" && id.startsWith("default"));
}

function setOption(page, model, entry, option, value) {
  const path = optionPath(model, entry.attributes.name, option);
  if (value) return page.edit([{ do: "write", path, value }]);
  return optionOf(entry, option) && page.edit([{ do: "remove", path }]);
}
