// May a role do something with records, or a user with one of them, and by which line of the
// definition?
import { at, post } from "./api.js";
import { readDefinition } from "./definition.js";
import { el, field, fill, select } from "./dom.js";
import { longSelect } from "./long-select.js";
import { deployedLine, environmentAddress } from "./pages.js";
import { parameters, setParameters } from "./record-cells.js";
import { openShell } from "./shell.js";
import { emptyState, errorText, load } from "./states.js";
import { userField } from "./user-field.js";

const operations = ["read", "create", "update", "delete", "resolve"];
const ofFields = ["read", "create", "update"];
const owners = [
  ["self", "their own"], ["moved", "their own, from a former group"],
  ["group", "of another user in their group"], ["other", "of a user in another group"],
];
const { main, environment, environments } = await openShell("explain");
const answer = el("div", { role: "status" });

await load(main, () => readDefinition(environment, environments), (definition) => {
  if (definition.models.length === 0 || definition.roles.length === 0) {
    return emptyState("Nothing to explain", "The definition has no model or no role.");
  }
  return parameters().guid ? recordForm(definition) : form(definition);
});

/** A question about a stored record: its owner and group decide, and not what one supposes. */
function recordForm(definition) {
  const { model, guid, login, device, ...given } = parameters();
  const fields = definition.models.find(({ name }) => name === model)?.fields ?? [];
  const user = userField(environment, "User", { required: true, value: login ?? "" });
  const category = select(definition.categories, device);
  const fieldChoice = fieldSelect(fields, given.field ?? "");
  const operation = select(operations, given.operation);
  allowOperations(operation, fieldChoice);
  const asked = `${model} ${guid.slice(0, 8)}`;
  return [el("p", {}, "The record ", el("a", {
    href: `${environmentAddress(environment, "records")}?${new URLSearchParams({ model, guid })}`,
  }, asked)), questions(() => ({
    login: user.control.value.trim(), device: category.value, field: fieldChoice.value || null,
    operation: operation.value,
  }), at`environments/${environment}/records/${model}/${guid}/explain`,
  user, field("Device category", category), field("Field", fieldChoice),
  field("Operation", operation)), answer];
}

function fieldSelect(fields, chosen, attributes = {}) {
  return select([["", "the record as a whole"], ...fields.map(({ name }) => [name, name])], chosen,
    attributes);
}

/** Fields have fewer operations than records. */
function allowOperations(operation, fieldChoice) {
  const draw = () => {
    const chosen = operation.value;
    const possible = fieldChoice.value ? ofFields : operations;
    fill(operation, possible.map((each) => el("option", { value: each }, each)));
    operation.value = possible.includes(chosen) ? chosen : "read";
  };
  fieldChoice.addEventListener("change", draw);
  draw();
  return draw;
}

/** The form of a question, which `read` reads when it is sent to a path. */
function questions(read, path, ...fields) {
  return el("form", { onsubmit: async (event) => {
    event.preventDefault();
    const question = read();
    setParameters(question);
    try {
      fill(answer, explanation(await post(path, question)));
    } catch (error) {
      fill(answer, errorText(error));
    }
  } }, fields, el("div", { class: "buttons" },
    el("button", { type: "submit", class: "primary" }, "Explain")));
}

function form(definition) {
  const given = parameters();
  const role = select(definition.roles.map(({ name }) => name), given.role);
  const model = longSelect(() => definition.models.map(({ name }) => name), given.model, {
    onchange: () => drawFields() });
  const fieldChoice = fieldSelect([], "");
  const operation = select(operations, given.operation);
  const owner = select(owners, given.owner);
  const drawOperations = allowOperations(operation, fieldChoice);
  const drawFields = () => {
    const { fields } = definition.models.find(({ name }) => name === model.value);
    fill(fieldChoice, [...fieldSelect(fields, "").children]);
    // Each option that left its list has selected the next one there.
    fieldChoice.value = "";
    drawOperations();
  };
  drawFields();
  if (given.field) fieldChoice.value = given.field;
  drawOperations();
  return [questions(() => ({
    role: role.value, model: model.value, field: fieldChoice.value || null,
    operation: operation.value, owner: owner.value,
  }), at`environments/${environment}/explain`,
  field("Role", role), field("Model", model), field("Field", fieldChoice),
  field("Operation", operation), field("The record is", owner)), answer];
}

function explanation({ allowed, reason, rules }) {
  return el("section", { class: "explanation", "aria-label": "Answer" },
    el("p", { class: `large ${allowed ? "good" : "bad"}` }, allowed ? "✓ Yes" : "■ No"),
    el("p", {}, reason),
    el("ul", { class: "plain" }, rules.map((rule) => el("li", {},
      rule.written ? "written in " : "missing at ",
      el("a", { href: deployedLine(environment, rule.line) },
        `application.xml, line ${rule.line}`),
      `: ${rule.operation}${rule.field ? ` ${rule.field}` : ""} `, el("code", {}, rule.level)))));
}
