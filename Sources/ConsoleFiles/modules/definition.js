// The definition of an environment, as its pages need it: read from its application.xml.
import { at, get } from "./api.js";
import { integer } from "./exact.js";

const children = (node, name) => [...node.children].filter((child) => child.localName === name);

/** The elements `name` in the element `list` of a node. */
const listed = (node, list, name) =>
  children(node, list).flatMap((element) => children(element, name));

/** An XML document. `DOMParser` would need trusted types. */
function xml(address) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("GET", address);
    request.responseType = "document";
    request.overrideMimeType("application/xml");
    const fail = () => reject(new Error("the definition cannot be read"));
    request.addEventListener("load", () => {
      if (request.status === 200 && request.responseXML) resolve(request.responseXML);
      else fail();
    });
    request.addEventListener("error", fail);
    request.send();
  });
}

/** The conflict mode of the application or of a model; null if it has none. */
const modeOf = (node) => node.getAttribute("conflictMode")
  ?? node.getAttributeNS("urn:waggle:definition", "conflictMode");

function fieldOf(node) {
  const options = Object.fromEntries(listed(node, "options", "option").map((option) =>
    [option.getAttribute("name"), option.textContent.trim()]));
  return {
    name: node.getAttribute("name"), type: node.getAttribute("type"),
    isRequired: node.getAttribute("required") === "true",
    defaultValue: node.getAttribute("defaultValue"), options, target: options.model ?? null,
  };
}

/** The value of a default as it is in a record; undefined without one. */
export function startingValue(field) {
  const text = field.defaultValue;
  if (text === null) return undefined;
  switch (field.type) {
    case "BOOLEAN": return text === "true";
    case "INTEGER": case "DATE": return integer(text) ?? undefined;
    default: return text;
  }
}

/**
 * `{environment, models, groups, categories, roles}`: the environment as the administration shows
 * it, and names in the order of the definition. A model has `name`, `mode` and `fields`. The frame
 * of the page has read `environments` already.
 */
export async function readDefinition(name, environments) {
  const environment = environments.find((each) => each.name === name)
    ?? await get(at`environments/${name}`);
  return { environment, ...await contents(environment) };
}

const key = "waggle-definition";

/** The definition as the last page of this tab read it, or else from the text of the version. */
async function contents({ digest, version }) {
  const known = JSON.parse(sessionStorage.getItem(key));
  if (known?.digest === digest) return known.contents;
  const read = contentsOf(await xml(`/admin/v1/versions/${version}/source`));
  try {
    sessionStorage.setItem(key, JSON.stringify({ digest, contents: read }));
  } catch {
    // There is no room for it: the next page reads it again.
    sessionStorage.removeItem(key);
  }
  return read;
}

function contentsOf(document) {
  const root = document.documentElement;
  const mode = modeOf(root) ?? "OVERWRITE";
  return {
    models: listed(root, "models", "model").map((node) => ({
      name: node.getAttribute("name"), mode: modeOf(node) ?? mode,
      fields: listed(node, "fields", "field").map(fieldOf),
    })),
    groups: listed(root, "groups", "group").map((node) => node.getAttribute("name")),
    categories: listed(root, "devices", "device").map((node) => node.getAttribute("name")),
    roles: listed(root, "roles", "role").map((node) => ({
      group: node.getAttribute("group"), category: node.getAttribute("device"),
      name: `${node.getAttribute("group")}-${node.getAttribute("device")}`,
    })),
  };
}
