// The columns of a table of records, beside the first one, which names the record.
import { el, fill } from "./dom.js";

const GUID = "$guid";

/** The columns that a model has: `{name, title, field}`, without `field` for a property. */
function columnsOf(model) {
  return [...model.fields.map((field) => ({ name: field.name, title: field.name, field })),
    { name: "$owner", title: "Owner" }, { name: "$group", title: "Group" }];
}

/** Those that a text of `columnChooser` names; all of them without one. */
export function shownColumns(model, text) {
  const names = text?.split(",");
  return columnsOf(model).filter(({ name }) => names?.includes(name) ?? true);
}

/**
 * Boxes that choose columns. `apply` gets their names as a text, or null for all of them.
 * `show(model, text)` shows a choice in `node`.
 */
export function columnChooser(apply) {
  const [summary, boxes] = [el("summary", {}), el("fieldset", { "aria-label": "Columns shown" })];
  let shownModel = null;
  let controls = [];
  const chosen = () => controls.filter((control) => control.checked);
  const tell = () => {
    const [count, all] = [chosen().length, controls.length];
    fill(summary, count === all ? "Columns" : `Columns (${count} of ${all})`);
  };
  const change = () => {
    tell();
    const names = chosen().map(({ name }) => name);
    apply(names.length === controls.length ? null : [GUID, ...names].join(","));
  };
  const show = (model, text) => {
    if (shownModel !== model.name) {
      controls = columnsOf(model).map(({ name }) =>
        el("input", { type: "checkbox", name, onchange: change }));
      fill(boxes, columnsOf(model).map(({ title }, index) =>
        el("label", {}, controls[index], title)));
      shownModel = model.name;
    }
    const names = shownColumns(model, text).map(({ name }) => name);
    for (const control of controls) control.checked = names.includes(control.name);
    tell();
  };
  return { node: el("details", { class: "columns" }, summary, boxes), show };
}
