// A text with the numbers of its lines, which scroll with it.
import { el, fill } from "./dom.js";

const LINE = 20;
const PAUSE_MILLISECONDS = 500;
// The beginning of a longer text is shown at once, and all of it when somebody turns to it, or when
// the browser has time.
const [FIRST_LINES, LONG] = [100, 800];

export class LinedText {
  #count = 0;
  #marks = new Map();
  #isToDraw = false;
  #whole = null;
  // The text as it was given, and as the area has it, with other ends of lines.
  #given = "";
  #plain = "";
  #isLocked;
  #numbers = el("div", { class: "lines", "aria-hidden": "true" });

  /** `attributes` are those of the text; `isLocked` for a text to look at. */
  constructor(label, { isLocked = false, ...attributes }) {
    this.#isLocked = isLocked;
    this.area = el("textarea", {
      rows: 36, spellcheck: "false", autocapitalize: "off", autocomplete: "off", wrap: "off",
      class: "source", "aria-label": label, readonly: isLocked, ...attributes,
      onscroll: () => this.#draw(),
    });
    this.node = el("div", { class: "lined" }, this.#numbers, this.area);
    addEventListener("hashchange", () => this.goToLine());
  }

  /**
   * The whole text, also while its beginning is shown. It has the ends of lines of the text that
   * was shown: the area knows one kind only.
   */
  get text() {
    const { value } = this.area;
    if (this.#whole !== null || value === this.#plain) return this.#given;
    return /(^|[^\r])\n/.test(this.#given) || !this.#given.includes("\r\n")
      ? value : value.replaceAll("\n", "\r\n");
  }

  /** Shows a text: all of it at once if the address names a line, or if it is short. */
  show(given) {
    const text = given.includes("\r") ? given.replaceAll(/\r\n?/g, "\n") : given;
    const lines = text.split("\n");
    [this.#given, this.#plain] = [given, text];
    this.#whole = null;
    if (lines.length <= LONG || chosenLine() > 0) return this.#set(text);
    this.#whole = text;
    this.#set(lines.slice(0, FIRST_LINES).join("\n"));
    // The browser is busy with the whole for a while: the rest of the page can be used before.
    const complete = () => { if (this.#whole === text) this.#set(text); };
    for (const kind of ["pointerenter", "focus", "wheel"]) {
      this.area.addEventListener(kind, complete, { once: true });
    }
    setTimeout(() => requestIdleCallback(complete), PAUSE_MILLISECONDS);
  }

  #set(text) {
    const isWhole = this.#whole === null || this.#whole === text;
    if (isWhole) this.#whole = null;
    const scrollTop = this.area.value === "" ? 0 : this.area.scrollTop;
    this.area.value = text;
    this.area.readOnly = this.#isLocked || !isWhole;
    if (scrollTop > 0) this.area.scrollTop = scrollTop;
    this.count();
  }

  /** The text has other lines. */
  count() {
    this.#count = this.area.value.split("\n").length;
    this.#draw();
  }

  /** Marks lines: `marks` has a character for the number of each. */
  mark(marks) {
    this.#marks = marks;
    this.#draw();
  }

  /** Draws with the next picture: to measure the area before makes the browser lay out the page. */
  #draw() {
    if (this.#isToDraw) return;
    this.#isToDraw = true;
    requestAnimationFrame(() => {
      this.#isToDraw = false;
      this.#drawNumbers();
    });
  }

  /** The numbers of those lines that are to be seen: a text may have very many. */
  #drawNumbers() {
    const first = Math.floor(this.area.scrollTop / LINE);
    const shown = Math.ceil(this.area.clientHeight / LINE) + 1;
    const last = Math.min(first + shown, this.#count);
    fill(this.#numbers, Array.from({ length: Math.max(0, last - first) }, (_, index) => {
      const line = first + index + 1;
      const mark = this.#marks.get(line);
      return el("div", { class: mark ? "bad" : null }, mark ? `${mark} ${line}` : line);
    }));
    this.#numbers.scrollTop = this.area.scrollTop - first * LINE;
  }

  /** Selects the line in the fragment of the address, such as `#line-12`. */
  goToLine() {
    const number = chosenLine();
    if (number === 0) return;
    if (this.#whole !== null) this.#set(this.#whole);
    const lines = this.area.value.split("\n");
    const start = lines.slice(0, number - 1).reduce((sum, line) => sum + line.length + 1, 0);
    this.area.focus();
    this.area.setSelectionRange(start, start + (lines[number - 1] ?? "").length);
    this.area.scrollTop = Math.max(0, (number - 6) * LINE);
  }
}

/** The line in the fragment of the address; 0 without one. */
const chosenLine = () => Number(/^#line-(\d+)$/.exec(location.hash)?.[1] ?? 0);
