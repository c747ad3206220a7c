import { openCreatePage } from "./create-frame.js";
import { drawChanges } from "./rights-changes.js";
import { button, el, fill, select } from "./dom.js";
import { keepingFocus } from "./focus.js";
import { illegible } from "./illegible.js";
import {
  credentialOf, credentialPath, fieldPath, fieldsOf, modelPath, modelsOf, rolesOf,
} from "./outline.js";
import { reachOf } from "./reach.js";
import { RightsGrid } from "./rights-grid.js";
import { menu } from "./shell.js";
import { emptyState } from "./states.js";

const isNarrow = matchMedia("(max-width: 599px)");
const grid = new RightsGrid();
let shownRole = null;
// The page shows a part of many models at a time: each row has five cells for each role.
const ROWS = 150;
let start = 0;
let isAsked = false;
const changes = el("section", { class: "panel", "aria-label": "Compared with Test" });

await openCreatePage("rights", draw);

function draw(page) {
  const { draft, node } = page;
  if (!draft.isLegible) return fill(node, illegible(draft));
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
    onchange: (event) => {
      shownRole = event.target.value;
      keepingFocus(node, () => draw(page));
    },
  });
  const visible = roles.filter(({ name }) => !shown || name === shown);
  const parts = partsOf(modelsOf(draft.outline));
  if (start >= parts.length) start = 0;
  if (draft.rights === null && !draft.hasErrors) askRights(page);
  grid.set(page, rows(draft, parts[start]), visible);
  fill(node,
    el("div", { class: "toolbar" }, choice, partChoice(page, parts),
      page.mayEdit && [levelButtons(), el("span", { class: "faint" },
        "Or the keys N, O, G and A. Shift and arrows choose several cells.")]),
    el("div", { class: "beside" },
      el("div", { class: "table" }, grid.draw(visible.map((role) =>
        header(page, role, roles)))),
      changes));
  grid.restoreFocus();
  drawChanges(page, changes);
}

/** The browser had no room for all rights: the corners appear when the server has answered. */
function askRights(page) {
  if (isAsked) return;
  isAsked = true;
  page.attempt(async () => {
    await page.draft.readRights();
    keepingFocus(page.node, () => draw(page));
  });
}

/** The models in parts of so many rows that a page can have them. */
function partsOf(models) {
  const parts = [];
  let count = Infinity;
  for (const model of models) {
    const size = 1 + fieldsOf(model).length;
    if (count + size > ROWS) {
      parts.push([]);
      count = 0;
    }
    parts.at(-1).push(model);
    count += size;
  }
  return parts;
}

/** Chooses which of many models are shown; null if all are. */
function partChoice(page, parts) {
  if (parts.length < 2) return null;
  return select(parts.map((part, index) => [String(index),
    `${part[0].attributes.name} to ${part.at(-1).attributes.name}`]), String(start), {
    "aria-label": "Models shown", dataset: { key: "models" },
    onchange: (event) => {
      start = Number(event.target.value);
      keepingFocus(page.node, () => draw(page));
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

/** A row for each model and field: its path, its element, and how far a right of it reaches. */
function rows(draft, models) {
  return models.flatMap((model) => {
    const name = model.attributes.name;
    const reach = (field) => (role, operation) =>
      reachOf(draft.rights, name, field, role, operation);
    return [
      { title: name, isModel: true, path: modelPath(name), element: model, reach: reach("") },
      ...fieldsOf(model).map((field) => ({
        title: field.attributes.name, isModel: false, element: field,
        path: fieldPath(name, field.attributes.name), reach: reach(field.attributes.name),
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
  if (!page.mayEdit) return el("code", {}, role.name);
  const item = (text, edits) => button(text, () => page.edit(edits()), { kind: "quiet" });
  return el("div", {}, menu(role.name, [
    item("All rights", all), item("No rights", cleared),
    roles.filter(({ name }) => name !== role.name).map(({ name }) => item(`As ${name}`, () => [
      ...cleared(), { do: "copyRights", from: name, to: role.name },
    ])),
  ]));
}

