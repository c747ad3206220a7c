// Builds nodes. Texts are always text: no string becomes markup.

/**
 * An HTML element. Attributes whose value is null, undefined or false are left out; true makes an
 * empty one; functions, as `onclick`, become listeners; `dataset` takes an object. Children are
 * nodes and texts; null and false are left out, and lists are flattened.
 */
export function el(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

/** An element of SVG, as `el`. */
export function svg(name, attributes = {}, ...children) {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(key.slice(2), value);
    else if (key === "dataset") Object.assign(node.dataset, value);
    else if (key === "value") node.value = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...present(children));
  return node;
}

/** Children as nodes and texts, as `el` takes them. */
export function present(children) {
  return children.flat(Infinity).filter((child) => child !== null && child !== undefined
    && child !== false).map((child) => (child instanceof Node ? child : String(child)));
}

/** Replaces all children of a node. */
export function fill(node, ...children) {
  node.replaceChildren(...present(children));
  return node;
}

let lastNumber = 0;

/** An id that no other node of the page has. */
export function freshID(start = "n") {
  lastNumber += 1;
  return `${start}-${lastNumber}`;
}

/**
 * A labelled control. `help` explains it; `error` says what is wrong with it.
 * The control can be found again as `field.control`, and the error is set by `field.refuse(text)`.
 */
export function field(label, control, { help = null, error = null } = {}) {
  const id = control.id || freshID("field");
  control.id = id;
  const refusal = el("p", { class: "field-error", id: `${id}-error`, hidden: !error }, error);
  const hint = help && el("p", { class: "field-help", id: `${id}-help` }, help);
  control.setAttribute("aria-describedby", `${hint ? `${id}-help ` : ""}${id}-error`);
  const node = el("div", { class: "field" },
    el("label", { for: id }, label), control, hint, refusal);
  node.control = control;
  node.refuse = (text) => {
    fill(refusal, text);
    refusal.hidden = !text;
    control.toggleAttribute("aria-invalid", Boolean(text));
    if (text) control.setAttribute("aria-invalid", "true");
  };
  if (error) node.refuse(error);
  return node;
}

/** A choice of a few; `options` are texts or pairs of value and text. */
export function select(options, chosen, attributes = {}) {
  const pairs = options.map((option) => (Array.isArray(option) ? option : [option, option]));
  return el("select", attributes, pairs.map(([value, text]) =>
    el("option", { value, selected: value === chosen }, text)));
}

/** A button that does something. `kind` is empty, `primary`, `danger` or `quiet`. */
export function button(text, onclick, { kind = null, ...attributes } = {}) {
  return el("button", { type: "button", class: kind, onclick, ...attributes }, text);
}
