// The changes that a deployment would make, as every page tells them before one.
import { el } from "./dom.js";
import { isPossible } from "./risks.js";

const refusals = {
  environmentLocked: "the environment is locked against deployments",
  otherApplication: "the environment belongs to another application",
  typesClash: "stored values have another type than their field",
  valuesNotUnique: "records have the value of another one in a field that would be unique",
};

/**
 * The answer of the server to a dry run: why it would refuse the deployment, all differences with
 * their reasons, and what becomes of the clients. The first deployment of an environment concerns
 * nobody yet.
 */
export function dryRun(answer, isFirst = false) {
  const { differences: found, clients = [] } = answer;
  return [
    !isPossible(answer) && el("p", { class: "bad" },
      el("strong", {}, "■ It would be refused: "), reason(answer), "."),
    isFirst && el("p", {}, firstText(found)), differences(found, !isFirst),
    clients.length > 0 && clientList(clients),
    isPossible(answer) && !isFirst && found.differences.length + found.rights.length > 0
      && el("p", {}, "It takes effect at once, for everybody."),
  ];
}

function firstText({ differences: found }) {
  const count = found.filter(({ kind }) => kind === "modelAdded").length;
  return `This is the first deployment: ${count === 1 ? "1 model is" : `${count} models are`} new.`;
}

/** Why a dry run says that the deployment would be refused. */
function reason({ refusal, repeatedValues = [] }) {
  const fields = repeatedValues.map(({ model, field, records }) =>
    `${records} in ${model}.${field}`);
  const words = refusals[refusal] ?? refusal;
  return fields.length > 0 ? `${words}: ${fields.join(", ")}` : words;
}

/** The differences of two definitions in sentences, the breaking ones first. */
export function differences({ differences: changes, rights }, hasReasons = false) {
  const all = [...changes, ...rights];
  if (all.length === 0) return el("p", {}, "Nothing changes for records and clients.");
  const sorted = [...all.filter(isBreaking), ...all.filter((entry) => !isBreaking(entry))];
  return el("ul", { class: "plain differences" }, sorted.map((entry) => el("li", {},
    isBreaking(entry) ? el("span", { class: "bad" }, "■ breaking: ") : "· ", entry.message,
    hasReasons && el("ul", {},
      consequence("records", entry.data), consequence("clients", entry.clients)))));
}

function consequence(title, { weight, reason: why }) {
  return el("li", {}, `${title}: `,
    el("span", { class: weight === "breaking" ? "bad" : null }, weight), `, ${why}`);
}

/** Whether a difference of definitions or rights breaks something for records or clients. */
function isBreaking({ data, clients }) {
  return [data, clients].some(({ weight }) => weight === "breaking");
}

const EFFECTS = {
  same: () => "go on",
  translated: (_, isNamed) => isNamed ? "go on in their own words"
    : "go on, in the words of the new version",
  refused: (names) => `go on, and what they send of ${names} is refused`,
  mustUpdate: (names) => `must be updated to create records, because of ${names}`,
};

/** Lists the clients of the last 90 days with the effect of the deployment on each. */
function clientList(seen) {
  return el("section", { "aria-label": "Clients" }, el("h3", {}, "Clients of the last 90 days"),
    el("ul", { class: "plain" }, seen.map(({ wire, version, devices, effect, subjects }) =>
      el("li", { class: effect === "mustUpdate" || effect === "refused" ? "bad" : "good" },
        `${version === null ? "without a version" : `version ${version}`}, ${wire}, `
          + `${devices} ${devices === 1 ? "device" : "devices"}: `
          + EFFECTS[effect](subjects.join(", "), version !== null)))));
}
