// The compiler's answer for a text. The next page of this tab reads from the browser's storage what
// it shows, and no more: of many models each part takes long to ask for and to read.
import { modelsOf } from "./outline.js";
import { packed, unpacked } from "./packed-outline.js";
import { compactRights } from "./reach.js";

const place = (part) => `waggle-checked ${part}`;
const summaryPlace = place("summary");
// Rights are the largest, and one page alone shows them.
const parts = ["outline", "diagnostics", "rights"];

/** The answer of the server to an edit. All its parts are there, or are read when they are used. */
export class Checked {
  #parts = {};

  constructor(summary, known = {}) {
    Object.assign(this, summary);
    this.#parts = known;
  }

  static of({ outline, diagnostics, rights }) {
    const count = (severity) => diagnostics.filter((each) => each.severity === severity).length;
    const { application = "", vendor = "" } = outline?.attributes ?? {};
    return new Checked({
      application, vendor, isLegible: outline !== null, models: modelsOf(outline).length,
      errors: count("error"), warnings: count("warning"),
    }, { outline, diagnostics, rights: rights && compactRights(rights) });
  }

  /** The answer that the last page of this tab had for a stamp; null if it had another one. */
  static recalled(stamp) {
    const known = JSON.parse(sessionStorage.getItem(summaryPlace));
    const isKnown = known?.stamp === stamp && known.summary.models !== undefined;
    return isKnown ? new Checked(known.summary) : null;
  }

  get outline() { return this.#part("outline"); }
  get diagnostics() { return this.#part("diagnostics") ?? []; }
  /** Null for a text with errors, and if the browser had no room for them. */
  get rights() { return this.#part("rights"); }
  set rights(rights) { this.#parts.rights = compactRights(rights); }

  #part(name) {
    if (!(name in this.#parts)) {
      const kept = JSON.parse(sessionStorage.getItem(place(name)));
      this.#parts[name] = name === "outline" ? unpacked(kept) : kept;
    }
    return this.#parts[name];
  }

  /** Keeps all for the next page. The summary comes late: it says that the others are there. */
  keep(stamp) {
    const all = Object.fromEntries(parts.map((name) => [name, this.#part(name)]));
    all.outline = packed(all.outline);
    for (const part of ["summary", ...parts]) sessionStorage.removeItem(place(part));
    try {
      for (const part of parts.slice(0, -1)) {
        sessionStorage.setItem(place(part), JSON.stringify(all[part]));
      }
      const { application, vendor, isLegible, models, errors, warnings } = this;
      sessionStorage.setItem(summaryPlace, JSON.stringify({
        stamp, summary: { application, vendor, isLegible, models, errors, warnings },
      }));
      sessionStorage.setItem(place("rights"), JSON.stringify(all.rights));
    } catch {
      // There is no room for what follows: the next page asks for it.
    }
  }
}
