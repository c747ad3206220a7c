import { openCreatePage, problems } from "./create-frame.js";
import { deployedNames, formerly } from "./deployed-names.js";
import { confirmDanger } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { fieldEditor, more } from "./field-editor.js";
import { icon } from "./icons.js";
import { illegible } from "./illegible.js";
import { conflictModes } from "./new-definition.js";
import {
  credentialPath, fieldPath, fieldsOf, freshName, modelFragment, modelPath, modelsOf, ownersOfLine,
  rolesOf,
} from "./outline.js";
import { emptyState } from "./states.js";
import { appendInParts } from "./table.js";

const modes = [
  ["", "as the application", ""], ...conflictModes.map(([mode, text]) => [mode, mode, text]),
];

const hasModelFragment = () => location.hash.startsWith(modelFragment(""));

/** The name in the fragment of the address; null if it is another place of the page. */
function nameInAddress() {
  try {
    return hasModelFragment()
      ? decodeURIComponent(location.hash.slice(modelFragment("").length)) : null;
  } catch {
    return null;
  }
}

/** The name in the address, or else that of the model that is shown, or the first model's. */
function chosenName(models) {
  const all = models.map(({ attributes }) => attributes.name);
  return [nameInAddress(), shown, all[0]].find((name) => all.includes(name));
}

/** Makes a model the chosen one of the next drawing. */
const choose = (name) => history.replaceState(null, "", modelFragment(name));

function draw(page) {
  const { draft, node } = page;
  if (!draft.isLegible) return fill(node, illegible(draft));
  const models = modelsOf(draft.outline);
  const name = chosenName(models);
  const model = models.find(({ attributes }) => attributes.name === name);
  frame ??= el("div", { class: "listed" },
    el("nav", { "aria-label": "Models" }, names,
      page.forms(button([icon("add"), "New model"],
        () => addModel(opened, modelsOf(opened.draft.outline))))), place);
  drawNames(models.map(({ attributes }) => attributes.name), name);
  fill(settings, applicationForm(page));
  fill(place, page.forms(model ? modelForm(page, model) : emptyState("No model yet",
    "A model is a kind of record, such as a note, with fields such as its text.", null)));
  if (!frame.isConnected) fill(node, settings, frame);
}

// These stay while forms are drawn anew: there may be many models.
let frame = null;
const place = el("div", {});
const settings = el("div", {});
const names = el("ul", { class: "plain" });
let listed = "";
let shown = null;

function drawNames(all, chosen) {
  shown = chosen;
  if (listed !== all.join()) {
    listed = all.join();
    appendInParts(fill(names), all, (name) => el("li", {}, el("a", {
      href: modelFragment(name), dataset: { key: `go ${name}` },
      "aria-current": name === shown && "true",
    }, name)));
  }
  for (const link of names.querySelectorAll("a")) {
    if (link.textContent === shown) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

/** The form of the whole application. Waggle's own mode, `w:conflictMode`, may say MERGE. */
function applicationForm(page) {
  const { attributes } = page.draft.outline;
  const mode = attributes["w:conflictMode"] ?? attributes.conflictMode ?? "OVERWRITE";
  const set = (attribute, value) => ({ do: "set", path: [], attribute, value });
  const text = (label, attribute, help = null) => field(label, el("input", {
    type: "text", value: attributes[attribute] ?? "", spellcheck: "false",
    class: attribute.startsWith("w:") ? null : "name", dataset: { key: `application ${attribute}` },
    onchange: ({ target }) => (target.value.trim() || attribute.startsWith("w:"))
      && page.edit([set(attribute, target.value.trim() || null)]),
  }), { help });
  const other = "With another one it is another application, with environments of its own.";
  return el("details", { class: "settings", open: settings.firstChild?.open },
    el("summary", { dataset: { key: "application" } },
      `Application ${attributes.application ?? ""}, ${mode}`),
    page.forms(el("div", { class: "row" },
      text("Name of the application", "application", other), text("Vendor", "vendor", other),
      field("Conflicts of all models", select(conflictModes.map(([each]) => each), mode, {
        dataset: { key: "application w:conflictMode" },
        onchange: ({ target: { value } }) => page.edit(value === "MERGE"
          ? [set("conflictMode", null), set("w:conflictMode", value)]
          : [set("w:conflictMode", null), set("conflictMode", value)]),
      }), { help: conflictModes.find(([each]) => each === mode)?.[1] ?? null }),
      text("Description of the application", "w:description"))));
}

async function addModel(page, models) {
  const name = freshName(models, "Model");
  const all = ["create", "read", "update", "delete"];
  choose(name);
  await page.edit([
    { do: "add", path: modelPath(name) },
    ...rolesOf(page.draft.outline).flatMap((role) => all.map((operation) => ({
      do: "set", path: credentialPath(modelPath(name), role.name),
      attribute: `${operation}Allowed`, value: "ALL",
    }))),
    ...rolesOf(page.draft.outline).map((role) => ({
      do: "set", path: credentialPath(modelPath(name), role.name),
      attribute: "resolveConflictAllowed", value: "true",
    })),
  ]);
  page.node.querySelector('[data-key="model name"]')?.select();
}

function modelForm(page, model) {
  const { draft, edit } = page;
  const name = model.attributes.name;
  const end = nextLine(draft.outline, model);
  const found = draft.diagnostics.filter(({ line }) => line >= model.line && line < end)
    .map((entry) => ({ ...entry, of: ownersOfLine(draft.outline, entry.line) }))
    .filter(({ of }) => of.model === name);
  const setting = (attribute) => (event) => edit([{
    do: "set", path: modelPath(name), attribute, value: event.target.value || null,
  }]);
  const mode = model.attributes["w:conflictMode"] ?? "";
  const key = (part) => ({ key: `model ${part}` });
  return el("section", { "aria-label": `Model ${name}` },
    el("div", { class: "row" },
      field("Name", el("input", {
        type: "text", value: name, spellcheck: "false", class: "name",
        dataset: key("name"), onchange: (event) => rename(page, name, event.target),
      })),
      field("Conflicts", select(modes.map(([value, text]) => [value, text]), mode, {
        dataset: key("w:conflictMode"), onchange: setting("w:conflictMode"),
      }), { help: modes.find(([value]) => value === mode)?.[2] || null }),
      field("Description", el("input", {
        type: "text", value: model.attributes["w:description"] ?? "",
        dataset: key("w:description"), onchange: setting("w:description"),
      })),
      isPair(model) && field("Relation", el("input", {
        type: "text", value: model.attributes["w:joins"] ?? "", spellcheck: "false",
        dataset: key("w:joins"), onchange: setting("w:joins"),
      }), { help: "Its name for the clients of Parse: the records are its pairs." })),
    formerly(page, modelPath(name), model, key),
    more(name, key("more"), model.attributes, ["alias"], field("Alias", el("input", {
      type: "text", value: model.attributes["w:alias"] ?? "", spellcheck: "false", class: "name",
      dataset: key("w:alias"), onchange: setting("w:alias"),
    }), { help: "Its name for the clients of Parse and Azure Mobile." })),
    problems(found.filter(({ of }) => of.field === null)),
    el("h2", {}, "Fields"),
    fieldsOf(model).map((entry, index, all) => fieldEditor(page, name, entry, {
      index, count: all.length,
      found: found.filter(({ of }) => of.field === entry.attributes.name),
    })),
    el("div", { class: "buttons" },
      button([icon("add"), "New field"], () => addField(page, model)),
      button("Remove the model", () => confirmDanger(`Remove ${name}?`,
        "Stored records of a removed model stay in the database, and nobody sees them.",
        "Remove", () => draft.edit([{ do: "remove", path: modelPath(name) }])),
      { kind: "danger" })));
}

/** The line at which the next model begins. */
function nextLine(outline, model) {
  const models = modelsOf(outline);
  return models[models.indexOf(model) + 1]?.line ?? Infinity;
}

function rename(page, name, input) {
  const to = input.value.trim();
  if (!to || to === name) return undefined;
  choose(to);
  return page.attempt(() => page.draft.edit([{ do: "rename", path: modelPath(name), to }],
    { model: name, to }));
}

async function addField(page, model) {
  const name = model.attributes.name;
  const added = freshName(fieldsOf(model), "field");
  const path = fieldPath(name, added);
  await page.edit([
    { do: "add", path },
    { do: "set", path, attribute: "type", value: "TEXT" },
    ...rolesOf(page.draft.outline).flatMap((role) => ["create", "read", "update"].map(
      (operation) => ({
        do: "set", path: credentialPath(path, role.name), attribute: `${operation}Allowed`,
        value: "ALL",
      }))),
  ]);
  page.node.querySelector(`[data-key="field ${fieldsOf(model).length} name"]`)?.select();
}

let opened = null;
addEventListener("hashchange", () => {
  if (!opened || (location.hash !== "" && !hasModelFragment())) return;
  if (location.hash === "") shown = null;
  draw(opened);
});
await openCreatePage("models", (page) => {
  const isFirst = opened === null;
  opened = page;
  draw(page);
  if (isFirst && page.mayEdit && page.draft.isLegible) {
    page.attempt(() => deployedNames(page.draft, page.shell.environments));
  }
});

/** Whether a model has the two relations that a model with `w:joins` has. */
function isPair(model) {
  return "w:joins" in model.attributes
    || fieldsOf(model).filter(({ attributes }) => attributes.type === "BELONGS_TO").length === 2;
}
