// Reads the outline of a definition, and builds paths for edits. An element of the outline is
// `{name, line, attributes, text, children}`; a path is a list of steps, each a list of a name and
// of pairs of attribute and value.

/** The elements with one name in a section, such as `model` in `models`. */
export function items(element, section, name) {
  return (element?.children ?? []).filter((child) => child.name === section)
    .flatMap((child) => child.children).filter((child) => child.name === name);
}

export const modelsOf = (outline) => items(outline, "models", "model");
export const fieldsOf = (model) => items(model, "fields", "field");
export const groupsOf = (outline) => items(outline, "groups", "group");
export const devicesOf = (outline) => items(outline, "devices", "device");

/** The roles as `{name, group, device}`. */
export const rolesOf = (outline) => items(outline, "roles", "role").map(({ attributes }) => ({
  group: attributes.group, device: attributes.device,
  name: `${attributes.group}-${attributes.device}`,
}));

export const optionsOf = (field) => items(field, "options", "option");

/** The value of a field's option; empty without it. */
export const optionOf = (field, name) =>
  optionsOf(field).find((option) => option.attributes.name === name)?.text ?? "";

/** The names that a model or field had in earlier versions. */
export const formerNames = ({ attributes }) =>
  (attributes["w:renamedFrom"] ?? "").split(/\s+/).filter(Boolean);

/** The credential of a role on a model or field; undefined without one. */
export const credentialOf = (owner, role) =>
  items(owner, "credentials", "credential").find(({ attributes }) => attributes.role === role);

export const modelPath = (model) => [["models"], ["model", "name", model]];
export const fieldPath = (model, field) =>
  [...modelPath(model), ["fields"], ["field", "name", field]];
export const optionPath = (model, field, option) =>
  [...fieldPath(model, field), ["options"], ["option", "name", option]];
export const credentialPath = (owner, role) =>
  [...owner, ["credentials"], ["credential", "role", role]];

/** The model and the field that a line of the text belongs to, as names; null for neither. */
export function ownersOfLine(outline, line) {
  const last = (elements) => elements.filter((element) => element.line <= line).at(-1);
  const isInModels = modelsOf(outline)[0]?.line <= line;
  const model = isInModels ? last(modelsOf(outline)) : null;
  const field = model && last(fieldsOf(model));
  const credentials = model?.children.find(({ name }) => name === "credentials");
  const isField = field && !(credentials && credentials.line > field.line
    && credentials.line <= line);
  return {
    model: model?.attributes.name ?? null,
    field: isField ? field.attributes.name : null,
  };
}

/** The fragment of the address of the page of models that chooses a model. */
export const modelFragment = (name) => `#model-${encodeURIComponent(name)}`;

/** A name that none of the elements has or had, such as `field2`. */
export function freshName(elements, start) {
  const names = new Set(elements.flatMap((each) => [each.attributes.name, ...formerNames(each)])
    .map((name) => name.toLowerCase()));
  let number = 1;
  while (names.has(`${start}${number}`.toLowerCase())) number += 1;
  return `${start}${number}`;
}
