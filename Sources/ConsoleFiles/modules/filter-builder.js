// Conditions for records, as the page "Finding records" of the documentation defines them.
import { button, el, fill, select } from "./dom.js";
import { valueInput } from "./values.js";

const properties = [
  { name: "$owner", type: "TEXT" }, { name: "$group", type: "TEXT" },
  { name: "$guid", type: "BELONGS_TO" }, { name: "$conflicted", type: "BOOLEAN" },
  { name: "$changedAt", type: "DATE" }, { name: "$createdAt", type: "DATE" },
];
const words = {
  eq: "is", ne: "is another than", lt: "is less than", le: "is at most", gt: "is more than",
  ge: "is at least", prefix: "begins with", like: "matches", null: "is null", set: "is not null",
};
const byType = {
  TEXT: ["eq", "ne", "prefix", "like", "lt", "gt", "null", "set"],
  INTEGER: ["eq", "ne", "lt", "le", "gt", "ge", "null", "set"],
  DECIMAL: ["eq", "ne", "lt", "le", "gt", "ge", "null", "set"],
  DATE: ["eq", "ne", "lt", "le", "gt", "ge", "null", "set"],
  BOOLEAN: ["eq", "ne", "null", "set"], BELONGS_TO: ["eq", "ne", "null", "set"],
  FILE: ["null", "set"],
};

/** The rows of a filter that the builder can show; null for any other filter. */
export function rowsOf(filter) {
  if (filter === null) return { join: "and", rows: [] };
  const [join, list] = Object.entries(filter)[0] ?? [];
  const isJoin = (join === "and" || join === "or") && Array.isArray(list);
  const rows = (isJoin ? list : [filter]).map(rowOf);
  return rows.includes(null) ? null : { join: isJoin ? join : "and", rows };
}

function rowOf(condition) {
  const [operator, argument] = Object.entries(condition)[0] ?? [];
  if (operator === "null" && typeof argument === "string") return { operand: argument, operator };
  if (operator === "not" && typeof argument?.null === "string") {
    return { operand: argument.null, operator: "set" };
  }
  const isSimple = words[operator] && Array.isArray(argument) && argument.length === 2
    && typeof argument[0] === "string" && (argument[1] === null || typeof argument[1] !== "object");
  return isSimple ? { operand: argument[0], operator, value: argument[1] } : null;
}

/** The filter of rows; null without any. */
export function filterOf({ join, rows }) {
  const conditions = rows.map(({ operand, operator, value }) => {
    if (operator === "null") return { null: operand };
    if (operator === "set") return { not: { null: operand } };
    return { [operator]: [operand, value] };
  });
  if (conditions.length === 0) return null;
  return conditions.length === 1 ? conditions[0] : { [join]: conditions };
}

/** A form that calls `apply` with a filter, or null for all records. */
export function filterBuilder({ model, models, filter, apply }) {
  const operands = [...operandsOf(model, models), ...properties];
  const shown = rowsOf(filter);
  const list = el("div", { class: "conditions" });
  const join = select([["and", "all"], ["or", "any"]], shown?.join ?? "and", {
    "aria-label": "How many conditions must be true" });
  const rows = [];
  const draw = () => fill(list, rows.map((row) => row.node));
  const add = (row) => {
    rows.push(conditionRow(operands, row, rows.length + 1, (own) => {
      rows.splice(rows.indexOf(own), 1);
      draw();
    }));
    draw();
  };
  for (const row of shown?.rows ?? []) add(row);
  const text = el("textarea", {
    rows: 3, spellcheck: "false", "aria-label": "Filter as JSON",
    value: shown ? "" : JSON.stringify(filter),
  });
  const advanced = el("details", { open: shown === null },
    el("summary", {}, "As JSON"), text);
  const failure = el("p", { class: "field-error", role: "alert", hidden: true });
  const read = () => (text.value.trim() === ""
    ? filterOf({ join: join.value, rows: rows.map((row) => row.read()) })
    : JSON.parse(text.value));
  return el("form", { class: "filter", "aria-label": "Filter", onsubmit: (event) => {
    event.preventDefault();
    try {
      failure.hidden = true;
      apply(read());
    } catch (error) {
      fill(failure, error.message);
      failure.hidden = false;
    }
  } },
    el("p", {}, "Records for which ", join, " of these are true:"), list, advanced, failure,
    el("div", { class: "buttons" },
      button("Add condition", () => {
        add({ operand: operands[0].name });
        rows.at(-1).node.querySelector("select").focus();
      }),
      el("button", { type: "submit", class: "primary" }, "Find"),
      button("All records", () => apply(null), { kind: "quiet" })));
}

/** The fields of the model, and those one relation away. */
function operandsOf(model, models) {
  const away = model.fields.filter((field) => field.type === "BELONGS_TO").flatMap((field) =>
    (models.find((each) => each.name === field.target)?.fields ?? []).map((other) =>
      ({ ...other, name: `${field.name}.${other.name}` })));
  return [...model.fields, ...away];
}

/** The lists stay while somebody types in them: only what depends on them is drawn anew. */
function conditionRow(operands, { operand, operator, value }, number, remove) {
  let input = null;
  const place = el("span", {});
  const chosen = select(operands.map((each) => each.name), operand, {
    "aria-label": "Field", onchange: () => drawComparisons() });
  const comparison = select([], null, {
    "aria-label": "Comparison", onchange: () => drawValue(input?.value) });
  const present = () => operands.find((each) => each.name === chosen.value) ?? operands[0];
  const drawComparisons = (first, given) => {
    const names = byType[present().type] ?? byType.TEXT;
    const kept = names.includes(comparison.value) ? comparison.value : names[0];
    fill(comparison, names.map((each) => el("option", { value: each }, words[each])));
    comparison.value = first ?? kept;
    drawValue(undefined, given);
  };
  const drawValue = (typed, given) => {
    const needsValue = comparison.value !== "null" && comparison.value !== "set";
    input = needsValue ? valueInput(present(), given, { "aria-label": "Value" }) : null;
    if (input && typed !== undefined) {
      input.value = typed;
      input.dispatchEvent(new Event("input"));
    }
    fill(place, input);
  };
  drawComparisons(operator, value);
  const row = {
    node: el("div", { class: "condition-row", role: "group", "aria-label": `Condition ${number}` },
      el("span", { class: "condition" }, chosen, comparison, place),
      button("Remove", () => remove(row), {
        kind: "quiet", "aria-label": `Remove condition ${number}` })),
    read: () => ({
      operand: chosen.value, operator: comparison.value, value: input ? input.read() : undefined }),
  };
  return row;
}
