import { openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { drafts, newestVersion } from "./drafts.js";
import { conflictModes, emptyDefinition } from "./new-definition.js";
import { environmentAddress, environmentPages } from "./pages.js";
import { includes, openShell } from "./shell.js";
import { errorState } from "./states.js";

const examples = [
  ["conflicts", "Conflicts", "two people change one record, and somebody decides"],
  ["permissions", "Permissions", "films: everybody sees the title, only its owner the director"],
  ["todo", "Todo", "lists and tasks that are shared"],
  ["dates", "Dates", "dates and their limits"],
];

/** Needed when a draft is chosen, which is not at once. */
const draftModule = () => import("./draft.js");

const shell = await openShell("start");
const failure = el("div", { role: "alert" });

async function begin(read) {
  fill(failure);
  try {
    const { beginDraft } = await draftModule();
    await beginDraft(await read());
    location.assign("/console/models");
  } catch (error) {
    fill(failure, errorState(error));
  }
}

shell.main.setAttribute("aria-busy", "true");
const present = includes(shell.operator, "viewer") ? await drafts() : [];
fill(shell.main, failure, present.length > 0 && draftPart(),
  includes(shell.operator, "designer") && newPart(),
  shell.environments.length > 0 && environmentPart());
shell.main.removeAttribute("aria-busy");

function draftPart() {
  return el("section", {}, el("h2", {}, "Drafts"),
    el("ul", { class: "plain examples" }, present.map(({ name, author, changedAt, file }) =>
      el("li", {}, button(name, async () => {
        const { continueDraft } = await draftModule();
        await continueDraft(name);
        location.assign("/console/models");
      }, { kind: "quiet" }), el("small", {},
        `${file ?? author}, ${new Date(changedAt).toLocaleString()}`)))));
}

function newPart() {
  const file = el("input", { type: "file", accept: ".xml,application/xml", hidden: true,
    onchange: () => file.files[0] && begin(() => file.files[0].text()) });
  return el("section", {}, el("h2", {}, "Begin an application"),
    el("div", { class: "buttons" },
      button("New application", newApplication, { kind: present.length > 0 ? null : "primary" }),
      button("From a file", () => file.click()), file,
      shell.environments.length > 0 && button("From the newest version", () =>
        begin(async () => (await newestVersion()).xml))),
    el("h2", {}, "Or with an example"),
    el("ul", { class: "plain examples" }, examples.map(([name, title, text]) => el("li", {},
      button(title, () => begin(async () => {
        const response = await fetch(`/console/examples/${name}.xml`);
        return response.text();
      }), { kind: "quiet" }), el("span", {}, text)))));
}

function newApplication() {
  const name = el("input", {
    type: "text", required: true, pattern: "[A-Za-z_][A-Za-z0-9_]{0,39}", spellcheck: "false",
    title: "letters, digits and _, not beginning with a digit",
  });
  const help = el("p", { class: "field-help", id: "mode-help", role: "status" });
  const show = () => fill(help, conflictModes.find(([mode]) => mode === choice.value)[1]);
  const choice = select(conflictModes.map(([mode]) => mode), "MERGE", { onchange: show });
  show();
  return openDialog({
    title: "New application",
    content: [field("Name", name, { help: "Such as Conflicts." }),
      field("When two change one record", choice), help],
    confirm: "Create",
    action: async () => {
      const { beginDraft } = await draftModule();
      await beginDraft(emptyDefinition(name.value.trim(), choice.value));
      location.assign("/console/models");
    },
  });
}

function environmentPart() {
  const first = environmentPages[0]?.name;
  return el("section", {}, el("h2", {}, "Environments"),
    el("ul", { class: "plain" }, shell.environments.map(({ name, application, version }) =>
      el("li", {}, first ? el("a", { href: environmentAddress(name, first) }, name) : name, " ",
        el("small", {}, `${application}, version ${version}`)))));
}
