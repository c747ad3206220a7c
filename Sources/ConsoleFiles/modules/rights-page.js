import { openCreatePage } from "./create-frame.js";
import { drawChanges } from "./rights-changes.js";
import { button, el, fill, select } from "./dom.js";
import { illegible } from "./illegible.js";
import {
  credentialOf, credentialPath, fieldPath, fieldsOf, modelPath, modelsOf, rolesOf,
} from "./outline.js";
import { RightsGrid } from "./rights-grid.js";
import { menu } from "./shell.js";
import { emptyState } from "./states.js";

const isNarrow = matchMedia("(max-width: 599px)");
const grid = new RightsGrid();
let shownRole = null;
// The page shows a part of many models at a time: each row has five cells for each role.
const PART = 40;
let start = 0;
const changes = el("section", { class: "panel", "aria-label": "Compared with Test" });

await openCreatePage("rights", draw);

function draw(page) {
  const { draft, node } = page;
  if (draft.outline === null) return fill(node, illegible(draft));
  const roles = rolesOf(draft.outline);
  if (roles.length === 0 || modelsOf(draft.outline).length === 0) {
    return fill(node, emptyState("No rights yet",
      "Rights are those of roles on models: the application needs one of each.",
      el("a", { class: "button primary", href: roles.length === 0
        ? "/console/groups" : "/console/models" }, "Add one")));
  }
  const shown = shownRole ?? (isNarrow.matches ? roles[0].name : "");
  const choice = select([["", "all roles"], ...roles.map(({ name }) => name)], shown, {
    "aria-label": "Roles shown", dataset: { key: "roles" },
    onchange: (event) => { shownRole = event.target.value; draw(page); },
  });
  const visible = roles.filter(({ name }) => !shown || name === shown);
  const models = modelsOf(draft.outline);
  if (start >= models.length) start = 0;
  grid.set(page, rows(draft, models.slice(start, start + PART)), visible);
  fill(node,
    el("div", { class: "toolbar" }, choice, partChoice(page, models), levelButtons(),
      el("span", { class: "faint" },
        "Or the keys N, O, G and A. Shift and arrows choose several cells.")),
    el("div", { class: "beside" },
      el("div", { class: "table" }, grid.draw(visible.map((role) =>
        header(page, role, roles)))),
      changes));
  grid.restoreFocus();
  drawChanges(page, changes);
}

/** Chooses which of many models are shown; null if all are. */
function partChoice(page, models) {
  if (models.length <= PART) return null;
  const parts = Array.from({ length: Math.ceil(models.length / PART) }, (_, number) => {
    const part = models.slice(number * PART, (number + 1) * PART);
    return [String(number * PART),
      `${part[0].attributes.name} to ${part.at(-1).attributes.name}`];
  });
  return select(parts, String(start), {
    "aria-label": "Models shown", dataset: { key: "models" },
    onchange: (event) => {
      start = Number(event.target.value);
      draw(page);
    },
  });
}

/** The buttons that set the chosen cells, for those who use no keyboard. */
function levelButtons() {
  return el("fieldset", { class: "levels", "aria-label": "Level of the chosen cells" },
    [["None", "NONE"], ["Own", "OWN"], ["Group", "GROUP"], ["All", "ALL"]].map(([text, level]) =>
      button(text, () => grid.assign(level), {
        kind: `level-${level.toLowerCase()}`, dataset: { key: `level ${level}` },
      })));
}

/** A row for each model and field: its path, and the written and effective levels by role. */
function rows(draft, models) {
  const effective = new Map((draft.rights?.models ?? []).map((model) => [model.name, model]));
  const found = Map.groupBy(draft.diagnostics, ({ line }) => line);
  return models.flatMap((model) => {
    const name = model.attributes.name;
    const known = effective.get(name);
    const problemsOf = (element) => found.get(element.line) ?? [];
    return [
      {
        title: name, isModel: true, path: modelPath(name), element: model,
        reach: known?.rights, found: problemsOf(model),
      },
      ...fieldsOf(model).map((field) => ({
        title: field.attributes.name, isModel: false, element: field,
        path: fieldPath(name, field.attributes.name),
        reach: known?.fields.find((entry) => entry.name === field.attributes.name)?.rights,
        found: problemsOf(field),
      })),
    ];
  });
}

/** The head of a role's columns, with what concerns all its rights. */
function header(page, role, roles) {
  const owners = () => rows(page.draft, modelsOf(page.draft.outline));
  const cleared = () => owners().filter(({ element }) => credentialOf(element, role.name))
    .map(({ path }) => ({ do: "remove", path: credentialPath(path, role.name) }));
  const all = () => owners().flatMap(({ path, isModel }) => [
    ...["create", "read", "update", ...(isModel ? ["delete"] : [])].map((operation) => ({
      do: "set", path: credentialPath(path, role.name), attribute: `${operation}Allowed`,
      value: "ALL",
    })),
    ...(isModel ? [{
      do: "set", path: credentialPath(path, role.name), attribute: "resolveConflictAllowed",
      value: "true",
    }] : []),
  ]);
  const item = (text, edits) => button(text, () => page.edit(edits()), { kind: "quiet" });
  return el("div", {}, menu(role.name, [
    item("All rights", all), item("No rights", cleared),
    roles.filter(({ name }) => name !== role.name).map(({ name }) => item(`As ${name}`, () => [
      ...cleared(), { do: "copyRights", from: name, to: role.name },
    ])),
  ]));
}

