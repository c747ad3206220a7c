// How far rights reach in effect. Those of many models are kept as letters.

const operations = ["create", "read", "update", "delete", "resolve"];
const letters = { NONE: "N", OWN_IN_GROUP: "I", OWN: "O", GROUP: "G", ALL: "A" };
const levels = Object.fromEntries(Object.entries(letters).map(([level, letter]) =>
  [letter, level]));

/**
 * From the rights that the server tells: `{roles, models}`. A model has a text for itself, by the
 * empty name, and one for each field: of each role a letter for each operation.
 */
export function compactRights({ roles, models }) {
  const letter = (right, operation) => letters[right?.effective[operation]] ?? "-";
  const text = (rights) => roles.map(({ name }) => {
    const own = rights.find(({ role }) => role === name);
    return operations.map((operation) => letter(own, operation)).join("");
  }).join("");
  return {
    roles: roles.map(({ name }) => name),
    models: Object.fromEntries(models.map((model) => [model.name, Object.fromEntries([
      ["", text(model.rights)], ...model.fields.map(({ name, rights }) => [name, text(rights)]),
    ])])),
  };
}

/** The level of a role's right, such as `OWN`; undefined if it is not known. No field is "". */
export function reachOf(rights, model, field, role, operation) {
  const place = rights?.roles.indexOf(role) ?? -1;
  const index = operations.indexOf(operation);
  const text = rights?.models[model]?.[field];
  // The rights that an earlier console kept have fewer operations: they are not known.
  const isWhole = text?.length === rights?.roles.length * operations.length;
  return place >= 0 && index >= 0 && isWhole
    ? levels[text[place * operations.length + index]] : undefined;
}
