// The names that the version in Test has. A renamed model or field says its former one, so that
// stored records stay.
import { get } from "./api.js";
import { readDefinition } from "./definition.js";
import { testOf } from "./deploy.js";
import { fieldPath, modelPath, modelsOf } from "./outline.js";

let asked = null;

/** The names of the models that Test has, each with those of its fields. Read once. */
export function deployedNames(draft, environments = null) {
  asked ??= read(draft, environments).catch((error) => {
    asked = null;
    throw error;
  });
  return asked;
}

async function read(draft, known) {
  const environments = known ?? await get("environments");
  const test = testOf(environments, draft);
  if (!environments.some(({ name }) => name === test)) return new Map();
  const { models } = await readDefinition(test, environments);
  return new Map(models.map(({ name, fields }) =>
    [name, new Set(fields.map((entry) => entry.name))]));
}

/** The edits by which a model or, with `field`, a field of it keeps the name that Test has. */
export async function formerName(draft, { model, field = null }) {
  const names = await deployedNames(draft);
  const keep = (path, value) => [{ do: "set", path, attribute: "w:renamedFrom", value }];
  if (field === null) return names.has(model) ? keep(modelPath(model), model) : [];
  // Test may have the model under its former name.
  const element = modelsOf(draft.outline).find(({ attributes }) => attributes.name === model);
  const fields = names.get(model) ?? names.get(element?.attributes["w:renamedFrom"]);
  return fields?.has(field) ? keep(fieldPath(model, field), field) : [];
}
