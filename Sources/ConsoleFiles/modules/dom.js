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

function present(children) {
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

/**
 * A choice of what may be very many: it has the chosen option, and the others once somebody is
 * about to choose. `options` returns them as `select` takes them. `choose(value)` of the control
 * chooses one of them.
 */
export function longSelect(options, chosen, attributes = {}) {
  const all = () => options().map((option) => (Array.isArray(option) ? option : [option, option]));
  const control = select([], chosen, attributes);
  control.choose = (value) => {
    if (control.value === value && control.options.length > 0) return;
    const found = all();
    const shown = found.find(([each]) => each === value) ?? found[0];
    if (shown) fill(control, el("option", { value: shown[0], selected: true }, shown[1]));
  };
  const complete = () => {
    const found = all();
    if (control.options.length >= found.length) return;
    const { value } = control;
    fill(control, [...select(found, value).children]);
    control.value = value;
  };
  for (const event of ["pointerdown", "focus"]) control.addEventListener(event, complete);
  control.choose(chosen);
  return control;
}

// More than a window has room for, and what the browser does without a break.
const [FIRST, PART] = [40, 100];

/**
 * Appends what `make(item, index)` makes of each item: the `first` ones at once, so that the page
 * can be used, and the others whenever the browser has nothing else to do.
 */
export function appendInParts(node, items, make, first = FIRST) {
  // A list that is filled anew meanwhile gets no more of the old items.
  const turn = {};
  node.parts = turn;
  const append = (start, count) => node.append(...present(items.slice(start, start + count)
    .map((item, index) => make(item, start + index))));
  const more = (start) => requestIdleCallback(() => {
    if (!node.isConnected || node.parts !== turn) return;
    append(start, PART);
    if (start + PART < items.length) more(start + PART);
  });
  append(0, first);
  if (items.length > first) more(first);
  return node;
}

/**
 * A table with hairlines. `columns` are `{title, cell(row), kind}`, where `kind` is empty, `name`,
 * `number` or `actions`; a cell is a node or a text. Below 600 px each row becomes a list. The
 * `first` rows are there at once, if they are many: they were shown before more of them came.
 */
export function table(caption, columns, rows, first = 0) {
  return el("div", { class: "table", role: "region", "aria-label": caption, tabindex: "0" },
    el("table", {},
      el("caption", { class: "unseen" }, caption),
      el("thead", {}, el("tr", {}, columns.map((column) => column.title === ""
        ? el("td", {}) : el("th", { scope: "col", class: column.kind }, column.title)))),
      appendInParts(el("tbody", {}), rows, (row) => el("tr", {}, columns.map((column) =>
        el("td", { class: column.kind, dataset: { title: column.title } },
          column.cell(row)))), Math.max(FIRST, first))));
}

/** A button that does something. `kind` is empty, `primary`, `danger` or `quiet`. */
export function button(text, onclick, { kind = null, ...attributes } = {}) {
  return el("button", { type: "button", class: kind, onclick, ...attributes }, text);
}
