// An outline as the browser keeps it for the next page: of many models it is long, names and
// attributes recur, and a page reads a few of its elements.

/** Equal entries get the same number. */
class Table {
  #numbers = new Map();
  entries = [];

  numberOf(entry) {
    const key = JSON.stringify(entry);
    if (!this.#numbers.has(key)) this.#numbers.set(key, this.entries.push(entry) - 1);
    return this.#numbers.get(key);
  }
}

/** An outline in little room, as JSON can have it; null for none. */
export function packed(outline) {
  if (outline === null) return null;
  const [names, attributes] = [new Table(), new Table()];
  const pack = (element) => [names.numberOf(element.name), element.line,
    attributes.numberOf(element.attributes), element.text ?? null, element.children.map(pack)];
  const root = pack(outline);
  return { names: names.entries, attributes: attributes.entries, root };
}

/** An element whose children are made when they are read. */
class Element {
  #packed;
  #tables;
  #children = null;

  constructor([name, line, attributes, text, children], tables) {
    this.name = tables.names[name];
    this.line = line;
    this.attributes = tables.attributes[attributes];
    this.text = text;
    this.#packed = children;
    this.#tables = tables;
  }

  get children() {
    return this.#children ??= this.#packed.map((child) => new Element(child, this.#tables));
  }
}

/** The outline that was packed. */
export const unpacked = (kept) => kept && new Element(kept.root, kept);
