import { get } from "./api.js";
import { button, el, fill } from "./dom.js";
import { drafts, newestVersion } from "./drafts.js";
import { environmentLink, includes, openShell } from "./shell.js";
import { errorState, load } from "./states.js";

/** Needed when a draft is chosen, which is not at once. */
const draftModule = () => import("./open-draft.js");

const shell = await openShell("start");
const failure = el("div", { role: "alert" });
const isDesigner = includes(shell.operator, "designer");

await load(shell.main, () => Promise.all([readDrafts(), isDesigner ? get("examples") : []]),
  ([present, examples]) => [failure,
  present.length > 0 && draftPart(present), isDesigner && newPart(present, examples),
  shell.environments.length > 0 && environmentPart()]);

/** Those of the server, and those of this browser that the server does not have. */
async function readDrafts() {
  if (!includes(shell.operator, "viewer")) return [];
  const [stored, { localDrafts }] = await Promise.all([drafts(), import("./draft-storage.js")]);
  const unsaved = isDesigner ? localDrafts().filter(({ isStored }) => !isStored) : [];
  const names = new Set(unsaved.map(({ name }) => name));
  return [...stored.map((draft) => ({ ...draft, isUnsaved: names.has(draft.name) })),
    ...unsaved.filter(({ name }) => !stored.some((draft) => draft.name === name))
      .map(({ name }) => ({ name, isUnsaved: true }))];
}

/** Goes to the forms of the draft that `choose` makes the present one. */
async function go(choose) {
  fill(failure);
  try {
    await choose(await draftModule());
    location.assign("/console/models");
  } catch (error) {
    fill(failure, errorState(error));
  }
}

const begin = (read) => go(async ({ beginDraft }) => beginDraft(await read()));

function draftPart(present) {
  return el("section", {}, el("h2", {}, "Drafts"),
    el("ul", { class: "plain examples" }, present.map((draft) => el("li", {},
      button(draft.name, () => go(({ continueDraft }) => continueDraft(draft.name)), {
        kind: "quiet" }),
      el("small", {}, about(draft)),
      isDesigner && !draft.file && button("Remove", () => removeDraft(draft.name), {
        kind: "quiet", "aria-label": `Remove the draft ${draft.name}` })))));
}

function about({ author, changedAt, file, isUnsaved }) {
  return [changedAt && `${file ?? author}, ${new Date(changedAt).toLocaleString()}`,
    isUnsaved && "with changes that only this browser has"].filter(Boolean).join(", ");
}

async function removeDraft(name) {
  const { removeDraft: ask } = await import("./remove-draft.js");
  if (await ask(name)) location.reload();
}

function newPart(present, examples) {
  const file = el("input", { type: "file", accept: ".xml,application/xml", hidden: true,
    onchange: () => {
      const [chosen] = file.files;
      // The same file may be chosen again, once it was mended.
      file.value = "";
      if (chosen) begin(() => chosen.text());
    } });
  return el("section", {}, el("h2", {}, "Begin an application"),
    el("div", { class: "buttons" },
      button("New application", async () => {
        const { newApplication } = await import("./new-application.js");
        await newApplication();
      }, { kind: present.length > 0 ? null : "primary" }),
      button("From a file", () => file.click()), file,
      shell.environments.length > 0 && button("From the newest version", () =>
        begin(async () => (await newestVersion()).xml))),
    el("h2", {}, "Or with an example"),
    el("ul", { class: "plain examples" }, examples.map(({ title, summary, xml }) => el("li", {},
      button(title, () => begin(() => xml), { kind: "quiet" }), el("span", {}, summary)))));
}

function environmentPart() {
  return el("section", {}, el("h2", {}, "Environments"),
    el("ul", { class: "plain" }, shell.environments.map(({ name, application, version }) =>
      el("li", {}, environmentLink(name), " ",
        el("small", {}, `${application}, version ${version}`)))));
}
