import { at, get, list, patch, post } from "./api.js";
import { openCreatePage } from "./create-frame.js";
import { differences } from "./deploy.js";
import { openDialog } from "./dialog.js";
import { button, el, field, fill, select, table } from "./dom.js";
import { emptyState, load, toast } from "./states.js";

const versions = el("div", {});
const comparison = el("section", { "aria-label": "Comparison" });
let isDrawn = false;

await openCreatePage("versions", (page) => {
  if (isDrawn) return;
  isDrawn = true;
  fill(page.node,
    el("div", { class: "buttons" },
      button("Keep the draft as a version", () => keep(page), { kind: "primary" }),
      importButton(page)),
    versions, comparison);
  show(page);
});

function show(page) {
  return load(versions, () => list("versions", 500), (entries) => entries.length === 0
    ? emptyState("No version yet", "A version is a definition that stays: deployed, or kept.")
    : [listed(page, entries), comparer(page, entries)]);
}

const moment = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

function listed(page, entries) {
  return table("Versions", [
    { title: "Version", kind: "number", cell: ({ number }) => number },
    { title: "Tag", kind: "name", cell: ({ tag }) => tag },
    { title: "Note", cell: ({ note }) => note },
    { title: "By", cell: ({ author }) => author },
    { title: "Added", cell: ({ addedAt }) => moment.format(addedAt) },
    { title: "", kind: "actions", cell: (version) => [
      button("Label", () => label(page, version), { kind: "quiet" }),
      button("Set as draft", () => setAsDraft(page, version), { kind: "quiet" }),
    ] },
  ], entries);
}

async function setAsDraft(page, { number }) {
  await page.attempt(async () => {
    await page.draft.replace(await get(at`versions/${number}/source`));
    toast(`The draft is version ${number} now. Undo leads back.`);
  });
}

function label(page, { number, tag, note }) {
  const inputs = [el("input", { type: "text", value: tag }), el("input", {
    type: "text", value: note,
  })];
  return openDialog({
    title: `Version ${number}`,
    content: [field("Tag", inputs[0], { help: "A short name, such as spring." }),
      field("Note", inputs[1])],
    confirm: "Save",
    action: () => patch(at`versions/${number}`,
      { tag: inputs[0].value.trim(), note: inputs[1].value.trim() }),
  }).then((isDone) => isDone && show(page));
}

function keep(page) {
  const inputs = [el("input", { type: "text" }), el("input", { type: "text" })];
  return openDialog({
    title: "Keep the draft as a version",
    content: [field("Tag", inputs[0], { help: "Optional: a short name, such as spring." }),
      field("Note", inputs[1])],
    confirm: "Keep",
    action: () => post("versions", {
      xml: page.draft.xml, tag: inputs[0].value.trim(), note: inputs[1].value.trim(),
    }),
  }).then((isDone) => isDone && show(page));
}

function importButton(page) {
  const input = el("input", { type: "file", accept: ".xml,application/xml", hidden: true,
    onchange: async () => {
      const [file] = input.files;
      if (file) await page.attempt(async () => page.draft.replace(await file.text()));
    } });
  return el("span", {}, button("Read a file", () => input.click()), input);
}

/** Two versions, or one and the draft, side by side in sentences. */
function comparer(page, entries) {
  const names = [["draft", "the draft"], ...entries.map(({ number, tag }) =>
    [String(number), tag ? `${number} (${tag})` : `version ${number}`])];
  const choices = [select(names.slice(1), names[1]?.[0], { "aria-label": "From" }),
    select(names, "draft", { "aria-label": "To" })];
  const part = (name) => name === "draft" ? { xml: page.draft.xml } : { version: name };
  return el("div", { class: "toolbar buttons" }, "Compare ", choices[0], " with ", choices[1],
    button("Compare", () => load(comparison, () => post("diff", {
      old: part(choices[0].value), new: part(choices[1].value),
    }), (found) => [el("h2", {}, "What changes"), differences({ differences: found })])));
}
