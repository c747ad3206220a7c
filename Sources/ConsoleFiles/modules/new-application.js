import { openDialog } from "./dialog.js";
import { el, field, fill, select } from "./dom.js";
import { beginDraft } from "./open-draft.js";
import { modePicture } from "./mode-picture.js";
import { conflictModes, emptyDefinition } from "./new-definition.js";

/** Asks for name and conflict mode of a new application, and opens its forms. */
export function newApplication() {
  const name = el("input", {
    type: "text", required: true, pattern: "[A-Za-z_][A-Za-z0-9_]{0,39}", spellcheck: "false",
    title: "letters, digits and _, not beginning with a digit",
  });
  const help = el("p", { class: "field-help", id: "mode-help", role: "status" });
  const picture = el("p", {});
  const show = () => {
    fill(picture, modePicture(choice.value));
    fill(help, conflictModes.find(([mode]) => mode === choice.value)[1]);
  };
  const choice = select(conflictModes.map(([mode]) => mode), "MERGE", { onchange: show });
  show();
  return openDialog({
    title: "New application",
    content: [field("Name", name, { help: "Such as Conflicts." }),
      field("When two change one record", choice), picture, help],
    confirm: "Create",
    action: async () => {
      await beginDraft(emptyDefinition(name.value.trim(), choice.value));
      location.assign("/console/models");
    },
  });
}
