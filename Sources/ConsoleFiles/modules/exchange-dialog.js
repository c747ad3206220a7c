// Records of a model from a file and to a file, as CSV or lines of JSON.
import { at, send, withQuery } from "./api.js";
import { openDialog } from "./dialog.js";
import { button, el, field, fill, select } from "./dom.js";
import { isTest } from "./pages.js";
import { errorText, toast } from "./states.js";
import { userField } from "./user-field.js";

const formats = [["csv", "CSV"], ["jsonl", "JSON, one record a line"]];

/** Links to all records of a model. They are streamed, so a browser can save very many. */
export function exportDialog(environment, model) {
  return openDialog({
    title: `Export ${model.name}`, confirm: null, cancel: "Close",
    text: "All records of the model that are not deleted, also those that a filter hides.",
    content: [el("div", { class: "buttons" }, formats.map(([format, text]) => el("a", {
      class: "button", download: `${model.name}.${format}`,
      href: `/admin/v1/${withQuery(at`environments/${environment}/export`,
        { format, model: model.name })}`,
    }, text)))],
  });
}

/** Imports a file after a dry run. `done` is called when records may have changed. */
export async function importDialog({ environment, model, done }) {
  const file = el("input", { type: "file", required: true, accept: ".csv,.json,.jsonl" });
  const format = select(formats, "csv");
  const ownerField = userField(environment, "Owner of new records", {
    help: "The login of a user; empty for those in the rows." });
  const owner = ownerField.control;
  const fields = model.fields.filter(({ type }) => ["TEXT", "INTEGER"].includes(type));
  const identity = select([["", "the guid"], ...fields.map(({ name }) => name)], "");
  const report = el("div", { role: "status" });
  // The server reads no faster than it imports, so what is sent is what is done, but for a little.
  const bar = el("progress", { max: 100, value: 0, hidden: true, "aria-label": "Rows read" });
  file.addEventListener("change", () => {
    format.value = /\.csv$/i.test(file.files[0]?.name ?? "") ? "csv" : "jsonl";
  });
  // Sent again after a break, rows that took effect do so once.
  const name = crypto.randomUUID();
  const run = async (dryRun) => {
    bar.hidden = false;
    try {
      return await sendRows(environment, file.files[0], {
        format: format.value, model: model.name, owner: owner.value.trim(),
        idField: identity.value, name, dryRun,
      }, (share) => { bar.value = 100 * share; });
    } finally {
      bar.hidden = true;
    }
  };
  // The question of the last dry run: its rows may be imported, and no others.
  let checked = null;
  const asked = () => JSON.stringify([file.files[0]?.name, file.files[0]?.size,
    file.files[0]?.lastModified, format.value, owner.value, identity.value]);
  const check = async (allow) => {
    if (!file.reportValidity()) return;
    const question = asked();
    try {
      fill(report, summary(await run(true), "It would be: "));
      checked = question;
      allow(asked() === question);
    } catch (error) {
      fill(report, errorText(error));
    }
  };
  const imported = await openDialog({
    title: `Import ${model.name}`, confirm: "Import",
    text: isTest(environment) ? null : `This changes ${environment}.`,
    content: (allow) => {
      allow(false);
      return el("div", { onchange: () => allow(asked() === checked) },
        field("File", file), field("Format", format), ownerField,
        field("What identifies a record", identity),
        button("Check without importing", () => check(allow)), bar, report);
    },
    action: () => run(false),
  });
  if (!imported) return;
  await openDialog({
    title: `Imported ${model.name}`, confirm: "Done", cancel: null,
    content: [summary(imported, "")],
  });
  toast("Imported");
  done();
}

async function sendRows(environment, file, parameters, sent) {
  const { value } = await send("POST",
    withQuery(at`environments/${environment}/import`, parameters), { file, sent });
  return value;
}

function summary(counts, start) {
  const { created, updated, deleted, unchanged, repeated, refused, problems } = counts;
  return [
    el("p", { class: refused > 0 ? "bad" : "good" },
      `${start}${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged, `
      + (repeated > 0 ? `${repeated} imported before, ` : "") + `${refused} refused.`),
    problems.length > 0 && el("ul", { class: "plain problems" }, problems.slice(0, 20).map(
      ({ line, field: of, message }) =>
        el("li", {}, `line ${line}`, of && `, ${of}`, `: ${message}`))),
    problems.length > 20 && el("p", { class: "faint" }, `and ${problems.length - 20} more`),
  ];
}
