import { openCreatePage } from "./create-frame.js";
import { drawChanges } from "./rights-changes.js";
import { el, fill, select } from "./dom.js";
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
  grid.set(page, rows(draft), visible);
  fill(node,
    el("div", { class: "toolbar" }, choice, el("span", { class: "faint" },
      "N none, O own, G group, A all. Shift and arrows choose several cells.")),
    el("div", { class: "beside" },
      el("div", { class: "table" }, grid.draw(visible.map((role) =>
        header(page, role, roles)))),
      changes));
  grid.restoreFocus();
  drawChanges(page, changes);
}

/** A row for each model and field: its path, and the written and effective levels by role. */
function rows(draft) {
  const effective = new Map((draft.rights?.models ?? []).map((model) => [model.name, model]));
  return modelsOf(draft.outline).flatMap((model) => {
    const name = model.attributes.name;
    const known = effective.get(name);
    const problemsOf = (element) => draft.diagnostics.filter(({ line }) => line === element.line);
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
  const owners = rows(page.draft);
  const cleared = owners.filter(({ element }) => credentialOf(element, role.name))
    .map(({ path }) => ({ do: "remove", path: credentialPath(path, role.name) }));
  const all = owners.flatMap(({ path, isModel }) => [
    ...["create", "read", "update", ...(isModel ? ["delete"] : [])].map((operation) => ({
      do: "set", path: credentialPath(path, role.name), attribute: `${operation}Allowed`,
      value: "ALL",
    })),
    ...(isModel ? [{
      do: "set", path: credentialPath(path, role.name), attribute: "resolveConflictAllowed",
      value: "true",
    }] : []),
  ]);
  const item = (text, edits) => el("button", {
    type: "button", class: "quiet", onclick: () => page.edit(edits),
  }, text);
  return el("div", {}, menu(role.name, [
    item("All rights", all), item("No rights", cleared),
    roles.filter(({ name }) => name !== role.name).map(({ name }) => item(`As ${name}`, [
      ...cleared, { do: "copyRights", from: name, to: role.name },
    ])),
  ]));
}

