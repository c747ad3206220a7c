import { el } from "./dom.js";
import { credentialOf, credentialPath } from "./outline.js";
import { appendInParts } from "./table.js";

const operations = [
  ["create", "createAllowed", "C"], ["read", "readAllowed", "R"], ["update", "updateAllowed", "U"],
  ["delete", "deleteAllowed", "D"], ["resolve", "resolveConflictAllowed", "X"],
];
const levels = { N: "NONE", O: "OWN", G: "GROUP", A: "ALL" };
const letters = { NONE: "·", OWN: "O", GROUP: "G", ALL: "A" };
const words = { NONE: "none", OWN: "own", GROUP: "group", ALL: "all" };

/**
 * The matrix of rights as a grid: one cell has the focus, arrows move it, Shift and arrows extend
 * the range, and N, O, G and A set the cells of the range.
 */
export class RightsGrid {
  #page; #rows = []; #columns = []; #cells = [];
  #at = { row: 0, column: 0 }; #from = null; #hasFocus = false; #shown = ""; #isDrawn = false;

  set(page, rows, roles) {
    this.#page = page;
    this.#rows = rows;
    this.#columns = roles.flatMap((role) => operations.map(([operation, attribute, letter]) =>
      ({ role, operation, attribute, letter })));
    // Other rows or columns: nothing that is not to be seen stays chosen.
    const shown = JSON.stringify([rows.map(({ path }) => path), roles.map(({ name }) => name)]);
    if (shown !== this.#shown) {
      this.#at = { row: 0, column: 0 };
      this.#from = null;
      this.#isDrawn = false;
    }
    this.#shown = shown;
  }

  /** The table; `heads` are those of the roles. Rows that were there stay where they are. */
  draw(heads) {
    this.#cells = [];
    const isWhole = this.#isDrawn;
    this.#isDrawn = true;
    return el("table", {
      role: "grid", class: "rights", "aria-label": "Rights", "aria-multiselectable": "true",
      onkeydown: (event) => this.#press(event),
      onfocusin: () => { this.#hasFocus = true; },
      onfocusout: (event) => {
        if (event.relatedTarget) this.#hasFocus = event.currentTarget.contains(event.relatedTarget);
      },
    },
      el("thead", {},
        el("tr", {}, el("td", {}), heads.map((head) =>
          el("th", { scope: "colgroup", colspan: operations.length }, head))),
        el("tr", {}, el("td", {}), this.#columns.map(({ operation, letter }) =>
          el("th", { scope: "col", class: "letter" },
            el("abbr", { title: operation }, letter))))),
      appendInParts(el("tbody", {}), this.#rows, (row, index) => this.#row(row, index),
        isWhole ? this.#rows.length : undefined));
  }

  #row(row, index) {
    const cells = this.#columns.map((column, place) => this.#cell(row, column, index, place));
    this.#cells[index] = cells;
    return el("tr", { class: row.isModel ? "model" : null },
      el("th", { scope: "row", class: "name" }, row.title), cells);
  }

  restoreFocus() {
    if (this.#hasFocus) this.#cells[this.#at.row]?.[this.#at.column]?.focus();
  }

  #cell(row, column, index, place) {
    const isAbsent = !row.isModel && ["delete", "resolve"].includes(column.operation);
    const written = isAbsent ? null : level(row, column);
    const reach = row.reach(column.role.name, column.operation);
    const isLimited = !isAbsent && reach !== undefined && reach !== written;
    const label = isAbsent ? `${row.title}, ${column.operation}: not for fields`
      : `${row.title}, ${column.role.name}, ${column.operation}: ${words[written]}`
        + (isLimited ? `, in effect ${words[reach] ?? reach}` : "");
    return el("td", {
      role: "gridcell", "aria-label": label, title: isLimited ? label : null,
      // Fields of several models have the same label.
      dataset: { key: `cell ${index} ${place}` },
      tabindex: index === this.#at.row && place === this.#at.column ? "0" : "-1",
      class: `letter ${isAbsent ? "not" : `level-${written.toLowerCase()}`}`
        + (isLimited ? " limited" : "") + (column.operation === "create" ? " first" : ""),
      "aria-selected": String(this.#isChosen(index, place)),
      onclick: (event) => this.#go(index, place, event.shiftKey),
    }, isAbsent ? "" : letters[written]);
  }

  #isChosen(row, column) {
    const { top, bottom, left, right } = this.#range;
    return row >= top && row <= bottom && column >= left && column <= right;
  }

  get #range() {
    const [at, from] = [this.#at, this.#from ?? this.#at];
    return {
      top: Math.min(at.row, from.row), bottom: Math.max(at.row, from.row),
      left: Math.min(at.column, from.column), right: Math.max(at.column, from.column),
    };
  }

  #press(event) {
    const move = {
      ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
    }[event.key];
    const isOfBrowser = event.ctrlKey || event.metaKey || event.altKey;
    if (event.target.getAttribute("role") !== "gridcell" || isOfBrowser) return;
    if (move) {
      const row = this.#at.row + move[0];
      const column = this.#at.column + move[1];
      if (this.#cells[row]?.[column]) this.#go(row, column, event.shiftKey);
    } else if (event.key === "Home" || event.key === "End") {
      this.#go(this.#at.row, event.key === "Home" ? 0 : this.#columns.length - 1, event.shiftKey);
    } else if (levels[event.key.toUpperCase()]) {
      this.assign(levels[event.key.toUpperCase()]);
    } else return;
    event.preventDefault();
  }

  #go(row, column, extends_) {
    const before = this.#range;
    this.#from = extends_ ? this.#from ?? { ...this.#at } : null;
    this.#cells[this.#at.row]?.[this.#at.column]?.setAttribute("tabindex", "-1");
    this.#at = { row, column };
    const cell = this.#cells[row][column];
    cell.setAttribute("tabindex", "0");
    cell.focus();
    for (const range of [before, this.#range]) this.#mark(range);
  }

  /** Tells of the cells of a range whether they are chosen. */
  #mark({ top, bottom, left, right }) {
    for (let row = top; row <= bottom; row += 1) {
      for (let column = left; column <= right; column += 1) {
        this.#cells[row][column].setAttribute("aria-selected", String(this.#isChosen(row, column)));
      }
    }
  }

  /** Sets the range. Where a right is only given or not, every level but NONE gives it. */
  assign(value) {
    if (!this.#page.mayEdit) return;
    const edits = [];
    this.#rows.forEach((row, index) => this.#columns.forEach((column, place) => {
      const isAbsent = !row.isModel && ["delete", "resolve"].includes(column.operation);
      if (isAbsent || !this.#isChosen(index, place)) return;
      if (level(row, column) === value) return;
      const given = column.operation === "resolve" ? "true" : value;
      edits.push({
        do: "set", path: credentialPath(row.path, column.role.name), attribute: column.attribute,
        value: value === "NONE" ? null : given,
      });
    }));
    if (edits.length > 0) this.#page.edit(edits);
  }
}

/** The written level of a right; ALL for the right to resolve conflicts, if it is given. */
function level(row, { role, operation, attribute }) {
  // Looked for once, and not for each of the operations.
  row.credentials ??= new Map();
  if (!row.credentials.has(role.name)) {
    row.credentials.set(role.name, credentialOf(row.element, role.name));
  }
  const value = row.credentials.get(role.name)?.attributes[attribute];
  if (operation === "resolve") return value === "true" ? "ALL" : "NONE";
  return letters[value] ? value : "NONE";
}
