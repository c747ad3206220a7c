// May a role do something with a record, and by which line of the definition?
import { at, post } from "./api.js";
import { readDefinition } from "./definition.js";
import { el, field, fill, select } from "./dom.js";
import { parameters, setParameters } from "./record-cells.js";
import { openShell } from "./shell.js";
import { emptyState, errorText, load } from "./states.js";

const operations = ["read", "create", "update", "delete", "resolve"];
const ofFields = ["read", "create", "update"];
const owners = [
  ["self", "their own"], ["moved", "their own, from a former group"],
  ["group", "of another user in their group"], ["other", "of a user in another group"],
];
const { main, environment } = await openShell("explain");
const answer = el("div", { role: "status" });

await load(main, () => readDefinition(environment), (definition) =>
  (definition.models.length === 0 || definition.roles.length === 0
    ? emptyState("Nothing to explain", "The definition has no model or no role.")
    : form(definition)));

function form(definition) {
  const given = parameters();
  const role = select(definition.roles.map(({ name }) => name), given.role);
  const model = select(definition.models.map(({ name }) => name), given.model, {
    onchange: () => drawFields() });
  const fieldChoice = select([], null, { onchange: () => drawOperations() });
  const operation = select(operations, given.operation);
  const owner = select(owners, given.owner);
  const drawOperations = () => {
    const chosen = operation.value;
    const possible = fieldChoice.value ? ofFields : operations;
    fill(operation, possible.map((each) => el("option", { value: each }, each)));
    operation.value = possible.includes(chosen) ? chosen : "read";
  };
  const drawFields = () => {
    const { fields } = definition.models.find(({ name }) => name === model.value);
    fill(fieldChoice, [["", "the record as a whole"], ...fields.map(({ name }) => [name, name])]
      .map(([value, text]) => el("option", { value }, text)));
    drawOperations();
  };
  drawFields();
  if (given.field) fieldChoice.value = given.field;
  drawOperations();
  return [el("form", { onsubmit: (event) => {
    event.preventDefault();
    const question = {
      role: role.value, model: model.value, field: fieldChoice.value || null,
      operation: operation.value, owner: owner.value,
    };
    setParameters(question);
    ask(question);
  } },
    field("Role", role), field("Model", model), field("Field", fieldChoice),
    field("Operation", operation), field("The record is", owner),
    el("div", { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Explain"))), answer];
}

async function ask(question) {
  try {
    fill(answer, explanation(await post(at`environments/${environment}/explain`, question)));
  } catch (error) {
    fill(answer, errorText(error));
  }
}

function explanation({ allowed, reason, rules }) {
  return el("section", { class: "explanation", "aria-label": "Answer" },
    el("p", { class: `large ${allowed ? "good" : "bad"}` }, allowed ? "✓ Yes" : "■ No"),
    el("p", {}, reason),
    el("ul", { class: "plain" }, rules.map((rule) => el("li", {},
      rule.written ? "written in " : "missing at ",
      el("a", { href: `/console/xml#line-${rule.line}` }, `application.xml, line ${rule.line}`),
      `: ${rule.operation}${rule.field ? ` ${rule.field}` : ""} `, el("code", {}, rule.level)))));
}
