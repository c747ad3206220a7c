// Views of records: filter, order and columns under a name. This browser keeps them for an
// operator and a model of an application, so its environments share them.
import { confirmDanger, openDialog } from "./dialog.js";
import { button, el, field, fill } from "./dom.js";
import { rememberedOperator } from "./session.js";

const [MOST_VIEWS, MOST_CHARACTERS] = [50, 60];
const PARTS = ["filter", "sort", "columns"];

/** The views of a model in the order of their names: `{name, filter, sort, columns}`. */
class Views {
  constructor(application, model) {
    this.key = `waggle-views ${JSON.stringify([rememberedOperator(), application, model])}`;
  }

  all() {
    return JSON.parse(localStorage.getItem(this.key) ?? "[]");
  }

  /** Keeps a view, in place of those with its name or with an earlier one. */
  keep(view, earlierName = view.name) {
    const others = this.all().filter(({ name }) => name !== view.name && name !== earlierName);
    if (others.length >= MOST_VIEWS) {
      throw new Error(`there are ${MOST_VIEWS} views already; remove one`);
    }
    this.store([...others, view].sort((one, other) => (one.name < other.name ? -1 : 1)));
  }

  remove(name) {
    this.store(this.all().filter((view) => view.name !== name));
  }

  store(views) {
    localStorage.setItem(this.key, JSON.stringify(views));
  }
}

/**
 * Controls to choose, keep, rename and remove a view. `present()` returns `{application, model,
 * view, filter, sort, columns}`, the parameters of the page; `go(changes)` changes them. The nodes
 * are `nodes`; `draw()` shows what is present.
 */
export function viewPicker({ present, go }) {
  const views = (now = present()) => new Views(now.application, now.model);
  const chosen = (now = present(), all = views(now).all()) => all.find((view) =>
    view.name === now.view && PARTS.every((part) => (view[part] ?? null) === (now[part] ?? null)));
  const choice = el("select", { onchange: () => {
    const view = views().all().find(({ name }) => name === choice.value);
    go({ view: view?.name ?? null, ...partsOf(view ?? {}) });
  } });
  const ask = async (title, name, action) => {
    if (await nameDialog(title, name, action)) choice.focus();
  };
  const keep = button("Save view", () => ask("Save view", present().view ?? "", (name) => {
    views().keep({ name, ...partsOf(present()) });
    go({ view: name });
  }));
  const rename = button("Rename view", () => {
    const view = chosen();
    if (!view) return draw();
    return ask("Rename view", view.name, (name) => {
      views().keep({ ...view, name }, view.name);
      go({ view: name });
    });
  }, { kind: "quiet" });
  const remove = button("Remove view", async () => {
    const isDone = await confirmDanger(`Remove the view ${choice.value}?`, "The records stay.",
      "Remove", () => views().remove(choice.value));
    if (!isDone) return;
    go({ view: null });
    choice.focus();
  }, { kind: "quiet" });
  const draw = () => {
    const now = present();
    const all = views(now).all();
    const names = all.map(({ name }) => name);
    // The list stays while somebody types in it.
    if (choice.dataset.names !== JSON.stringify(names)) {
      fill(choice, el("option", { value: "" }, "none"),
        names.map((name) => el("option", { value: name }, name)));
      choice.dataset.names = JSON.stringify(names);
    }
    const view = chosen(now, all);
    choice.value = view?.name ?? "";
    for (const node of [rename, remove]) node.hidden = !view;
  };
  return { nodes: [field("View", choice), keep, rename, remove], draw };
}

const partsOf = (view) => Object.fromEntries(PARTS.map((part) => [part, view[part] ?? null]));

function nameDialog(title, name, action) {
  const input = el("input", {
    type: "text", autocomplete: "off", required: true, maxlength: MOST_CHARACTERS, value: name });
  return openDialog({
    title, confirm: "Save", content: field("Name", input, {
      help: "This browser keeps it. A view that has this name is replaced." }),
    action: () => {
      if (input.value.trim() === "") throw new Error("a view needs a name");
      action(input.value.trim());
    },
  });
}
