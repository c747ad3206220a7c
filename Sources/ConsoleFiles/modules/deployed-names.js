// The names that deployed versions have. A renamed model or field says its former ones, so that
// stored records stay.
import { get } from "./api.js";
import { readDefinition } from "./definition.js";
import { button, el } from "./dom.js";
import { icon } from "./icons.js";
import { fieldPath, fieldsOf, formerNames, modelPath, modelsOf } from "./outline.js";

// The models of versions by their digests, each with the names of its fields. Read once.
const versions = new Map();

/**
 * The models that the environments of the draft's application have, each with the names of its
 * fields.
 */
export async function deployedNames({ application, vendor }, known = null) {
  const environments = (known ?? await get("environments")).filter((each) =>
    each.application === application && each.vendor === vendor);
  const all = new Map();
  for (const environment of environments) {
    for (const [model, fields] of await namesOf(environment, environments)) {
      all.set(model, [...all.get(model) ?? [], ...fields]);
    }
  }
  return all;
}

async function namesOf({ name, digest }, environments) {
  if (!versions.has(digest)) {
    const { models } = await readDefinition(name, environments);
    versions.set(digest, models.map((model) =>
      [model.name, model.fields.map((entry) => entry.name)]));
  }
  return versions.get(digest);
}

const words = (path, names) =>
  [{ do: "set", path, attribute: "w:renamedFrom", value: names.join(" ") || null }];

/**
 * The edits by which a model or, with `field`, a field of it that is renamed to `to` keeps the
 * names under which records are stored. A name that it has again is no former one.
 */
export async function formerName(draft, { model, field = null, to }) {
  const deployed = await deployedNames(draft);
  const element = modelsOf(draft.outline).find(({ attributes }) => attributes.name === model);
  const renamed = field === null ? element
    : fieldsOf(element).find(({ attributes }) => attributes.name === field);
  if (!renamed) return [];
  // An environment may have the model under its former name.
  const isDeployed = field === null ? deployed.has(model)
    : [model, ...formerNames(element)].some((each) => deployed.get(each)?.includes(field));
  const present = formerNames(renamed);
  const names = new Set([...present, ...(isDeployed ? [field ?? model] : [])]);
  names.delete(to);
  const path = field === null ? modelPath(model) : fieldPath(model, field);
  return [...names].join(" ") === present.join(" ") ? [] : words(path, [...names]);
}

/** The former names of an element, each with a button that forgets it. `key` makes its key. */
export function formerly(page, path, element, key) {
  const present = formerNames(element);
  const shown = "w:renamedFrom" in element.attributes && present.length === 0 ? [""] : present;
  return shown.map((former, index) => el("span", { class: "inline" },
    `formerly ${former || "nothing"}`,
    button(icon("close"), () => page.edit(words(path, present.filter((each) => each !== former))), {
      kind: "quiet icon-only", "aria-label": `Forget the former name ${former}`.trim(),
      title: "Values that are stored under it are no longer seen",
      dataset: key(`w:renamedFrom ${index}`),
    })));
}
