// Cells of records, as several pages show them.
import { at, get, patch, post, withQuery } from "./api.js";
import { isSame } from "./exact.js";
import { tellOwnChanges } from "./live.js";

/** A fresh id of a change. */
export const changeID = () => crypto.randomUUID();

/** Sends changes as the operator, and returns their outcomes. `owner` owns new records. */
export async function sendChanges(environment, changes, owner = undefined) {
  const answer = await post(at`environments/${environment}/changes`, {
    changes, ...(owner ? { owner } : {}),
  });
  tellOwnChanges(environment, answer.sequence);
  return answer.outcomes;
}

/** Gives a record to another owner and group. */
export async function reassign(environment, { model, guid }, ownership) {
  await patch(at`environments/${environment}/records/${model}/${guid}/ownership`, ownership);
  const { sequence } = await get(at`environments/${environment}`);
  tellOwnChanges(environment, sequence);
}

/** An Error with the causes of a refused change; nothing if it was not refused. */
export function refusalOf(outcome) {
  if (outcome.outcome !== "refused") return null;
  const error = new Error(outcome.causes.map((cause) => cause.message).join("; "));
  error.code = outcome.causes[0]?.code;
  error.line = outcome.causes.find((cause) => cause.line)?.line ?? null;
  error.causes = outcome.causes;
  return error;
}

/** A page of records. `view` is the user as whom the operator looks, or null. */
export const findRecords = (environment, model, parameters, view = null) => get(withQuery(
  at`environments/${environment}/records/${model}`,
  { ...parameters, ...(view ? { as: view.login, device: view.category } : {}) }));

export const findRecord = (environment, model, guid, view = null) => get(withQuery(
  at`environments/${environment}/records/${model}/${guid}`,
  view ? { as: view.login, device: view.category } : {}));

/**
 * Reads controls of `valueInput` and returns the fields that differ from their first value.
 * Null if one is not good: it says so itself. `controls` have `field`, `value`, `control`, `node`.
 */
export function readFields(controls) {
  const fields = {};
  let isGood = true;
  for (const { field, value, control, node } of controls) {
    try {
      const typed = control.read();
      node.refuse(null);
      if (!isSame(typed, value ?? null)) fields[field.name] = typed;
    } catch (error) {
      node.refuse(error.message);
      isGood = false;
    }
  }
  return isGood ? fields : null;
}

/** Shows the causes of a refusal at the fields that they concern. */
export function showCauses(controls, causes) {
  for (const { field, node } of controls) {
    const own = causes.filter((cause) => cause.field === field.name);
    node.refuse(own.map((cause) => cause.message).join("; ") || null);
  }
}

/** Parameters of the address of this page. */
export const parameters = () => Object.fromEntries(new URLSearchParams(location.search));

/** Changes parameters of the address; null removes one. `push` makes an entry of the history. */
export function setParameters(changes, push = true) {
  const all = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null || value === undefined || value === "") all.delete(name);
    else all.set(name, value);
  }
  const address = `${location.pathname}${all.size ? `?${all}` : ""}`;
  history[push ? "pushState" : "replaceState"](null, "", address);
}
