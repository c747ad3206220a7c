// The risks of a deployment, which an operator accepts by name, and values for stored records that
// lack one.
import { button, el, field, select } from "./dom.js";

/** Whether nothing but risks is in the way. */
export function isPossible({ refusal, risks }) {
  return !refusal || (refusal === "deploymentRisky" && risks?.length > 0);
}

/** The member of a deployment that names rules which bring values; nothing without rules. */
export const brought = (rules) => (rules.length > 0 ? { fill: rules } : {});

/**
 * The form of a dry run's answer: what gets values, open conflicts, a box for each risk, and rules
 * that would bring values. `tell` hears whether all risks are accepted, and by which names; `ask`
 * gets more rules.
 */
export function riskForm({ risks = [], fills = [], openConflicts = [] }, { tell, ask }) {
  const accepted = new Set();
  const hear = () => tell(accepted.size === risks.length, [...accepted]);
  hear();
  return [
    fills.map(({ model, field: name, records }) => el("p", { class: "good" },
      `✓ ${records} records get a value in ${model}.${name}.`)),
    openConflicts.map(({ model, conflicts }) => el("p", {},
      `▲ ${model} has ${conflicts} open ${conflicts === 1 ? "conflict" : "conflicts"}. `
      + "Resolve first those of fields that this version changes.")),
    risks.map((risk) => acceptance(risk, accepted, hear)), valueForm(risks, ask),
  ];
}

/** A risk for what is stored, which is accepted on its own. */
function acceptance({ name, messages, records }, accepted, tell) {
  const box = el("input", { type: "checkbox", onchange: () => {
    if (box.checked) accepted.add(name);
    else accepted.delete(name);
    tell();
  } });
  return el("p", {}, el("label", {}, box,
    ` Accept: ${messages.join("; ")} (${records} records)`));
}

const FILLABLE = ["fieldAdded", "becameRequired", "limitTightened"];

/** Asks for values of the records that lack one. Calls `ask` with the rules. Null for none. */
function valueForm(risks, ask) {
  const rows = risks.filter(({ records }) => records > 0).map(({ name }) => {
    const [kind, subject] = name.split(":");
    const [model, ...names] = (subject ?? "").split(".");
    return { kind, model, name: names.join(".") };
  }).filter(({ kind, name }) => FILLABLE.includes(kind) && name).map(({ model, name }) => {
    const source = select([["", "no value"], ["value", "this value"], ["from", "copy of the field"],
      ["default", "the default"]], "");
    const text = el("input", { type: "text", "aria-label": `Value of ${model}.${name}` });
    return { model, name, source, text };
  });
  if (rows.length === 0) return null;
  const send = () => ask(rows.filter(({ source }) => source.value).map(
    ({ model, name, source, text }) => ({
      model, field: name, [source.value]: source.value === "default" ? true : text.value })));
  // No form of its own: it may stand in that of a dialog.
  return el("section", { "aria-label": "Values for stored records", onkeydown: (event) => {
    if (event.key !== "Enter" || event.target.type !== "text") return;
    event.preventDefault();
    send();
  } }, el("h3", {}, "Values for stored records"),
  rows.map(({ model, name, source, text }) => el("p", { class: "toolbar" },
    field(`${model}.${name}`, source), text)),
  button("Try it with these values", send));
}
