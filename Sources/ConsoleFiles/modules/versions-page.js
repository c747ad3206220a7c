import { at, get, part, patch, post } from "./api.js";
import { openCreatePage } from "./create-frame.js";
import { deployTo } from "./deploy.js";
import { openDialog } from "./dialog.js";
import { button, el, field, fill } from "./dom.js";
import { differences } from "./dry-run.js";
import { longSelect } from "./long-select.js";
import { pagedList } from "./paged.js";
import { environmentLink, includes } from "./shell.js";
import { emptyState, load, toast } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const PAGE = 200;
const versions = el("div", {});
const choices = el("div", {});
const comparison = el("section", { "aria-label": "Comparison" });
// Reads the versions again, the newest ones first; null until the page is drawn.
let show = null;
// The tags by number of all versions that were read, also of those that a list which began anew has
// not reached.
const tags = new Map();
// The choices of the comparer, which keep their values when it is drawn anew.
let sides = [];

await openCreatePage("versions", (page) => {
  if (show !== null) return;
  show = pagedList(versions, "Earlier", (next) => part("versions", PAGE, { next }),
    (entries, shown) => listed(page, entries, shown));
  fill(page.node,
    page.draft && isDesigner(page) && el("div", { class: "buttons" },
      button("Keep the draft as a version", () => keep(page), { kind: "primary" }),
      importButton(page)),
    versions, choices, comparison);
  show();
}, { withoutDraft: true });

function isDesigner({ shell }) { return includes(shell.operator, "designer"); }

function listed(page, entries, shown) {
  for (const { number, tag } of entries) tags.set(number, tag);
  fill(choices, entries.length > 0 && comparer(page));
  if (entries.length === 0) {
    return emptyState("No version yet", "A version is a definition that stays: deployed, or kept.");
  }
  const names = new Set(entries.map(({ application, vendor }) => `${vendor} ${application}`));
  return table("Versions", [
    { title: "Version", kind: "number", cell: ({ number }) => number },
    {
      title: "Served in", cell: ({ number }) => page.shell.environments
        .filter(({ version }) => version === number)
        .map(({ name }, index) => [index > 0 && " ", environmentLink(name)]),
    },
    names.size > 1 && { title: "Application", cell: ({ application }) => application },
    { title: "Tag", kind: "name", cell: ({ tag }) => tag },
    { title: "Note", cell: ({ note }) => note },
    { title: "By", cell: ({ author }) => author },
    { title: "Added", cell: ({ addedAt }) => moment(addedAt) },
    { title: "", kind: "actions", cell: (version) => [
      el("a", { class: "button quiet", href: `/console/xml?version=${version.number}`,
        "aria-label": `Text of version ${version.number}` }, "Text"),
      isDesigner(page) && [
        button("Label", () => label(page, version), {
          kind: "quiet", "aria-label": `Label version ${version.number}` }),
        page.draft && button("Set as draft", () => setAsDraft(page, version), {
          kind: "quiet", "aria-label": `Set as draft, version ${version.number}` }),
        button("Deploy", () => deployElsewhere(version), {
          kind: "quiet", "aria-label": `Deploy version ${version.number}` })],
    ] },
  ].filter(Boolean), entries, shown);
}

/** Deploys a version to any environment, also to one that is made by it. */
async function deployElsewhere({ number }) {
  const environments = await get("environments");
  const known = el("datalist", { id: "environments" },
    environments.map(({ name }) => el("option", { value: name })));
  const name = el("input", {
    type: "text", required: true, maxlength: 64, pattern: "[A-Za-z0-9_\\-]+",
    title: "letters, digits, - and _", autocomplete: "off", spellcheck: "false",
    list: "environments", value: environments.some((each) => each.name === "production")
      ? "" : "production",
  });
  await openDialog({
    title: `Deploy version ${number} to…`,
    content: [field("Environment", name, {
      help: "Any name but test and those that begin with test- is one to use, not to try things."
        + " A new name makes a new environment." }), known],
    confirm: "Try it without deploying",
    action: () => deployTo(name.value.trim(), { version: number }, environments),
  });
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
  }).then((isDone) => isDone && show());
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
  }).then((isDone) => isDone && show());
}

function importButton(page) {
  const input = el("input", { type: "file", accept: ".xml,application/xml", hidden: true,
    onchange: async () => {
      const [file] = input.files;
      // The same file may be chosen again, once it was mended.
      input.value = "";
      if (file) await page.attempt(async () => page.draft.replace(await file.text()));
    } });
  return el("span", {}, button("Read a file", () => input.click()), input);
}

/** Two versions, or one and the draft, side by side in sentences. */
function comparer(page) {
  const newestFirst = [...tags].sort(([one], [other]) => other - one);
  const names = [...page.draft ? [["draft", "the draft"]] : [], ...newestFirst.map(
    ([number, tag]) => [String(number), tag ? `${number} (${tag})` : `version ${number}`])];
  sides = [
    longSelect(() => names.filter(([value]) => value !== "draft"), sides[0]?.value ?? null,
      { "aria-label": "From" }),
    longSelect(() => names, sides[1]?.value ?? names[0][0], { "aria-label": "To" })];
  const side = (name) => name === "draft" ? { xml: page.draft.xml } : { version: name };
  return el("div", { class: "buttons" }, "Compare ", sides[0], " with ", sides[1],
    button("Compare", () => load(comparison, () => post("diff", {
      old: side(sides[0].value), new: side(sides[1].value),
    }), (found) => [el("h2", {}, "What changes"), differences(found)])));
}
