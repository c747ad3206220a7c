import { get, send } from "./api.js";
import { openCreatePage } from "./create-frame.js";
import { button, el, field, fill, select } from "./dom.js";
import { illegible } from "./illegible.js";
import { saveFile } from "./save-file.js";

let isDrawn = false;
// The address of another library than the server's: it is the same for each package.
const libraryPlace = "waggle-library";

await openCreatePage("download", (page) => {
  if (page.draft.hasErrors || !page.draft.isLegible) {
    isDrawn = false;
    return fill(page.node, illegible(page.draft));
  }
  if (!isDrawn) draw(page);
  isDrawn = true;
});

function draw(page) {
  const text = (value) => el("input", { type: "text", value, spellcheck: "false", size: 16 });
  const name = text(page.draft.application.replace(/^./, (letter) => letter.toUpperCase()));
  const prefix = text("");
  const classPrefix = text("");
  const library = text(localStorage.getItem(libraryPlace) ?? "");
  library.size = 40;
  let offered = null;
  page.attempt(async () => {
    ({ library: offered } = await get("library"));
    library.required = offered === null;
    library.value ||= offered ?? "";
  });
  const language = select([["swift", "Swift"], ["typescript", "TypeScript"]], "swift");
  const body = () => ({
    xml: page.draft.xml, prefix: prefix.value.trim(),
    ...(classPrefix.value.trim() ? { classPrefix: classPrefix.value.trim() } : {}),
  });
  const download = (path, more, file) => page.attempt(async () => {
    const { response } = await send("POST", path, { body: { ...body(), ...more }, raw: true });
    saveFile(await response.blob(), file);
  });
  fill(page.node,
    el("div", { class: "row" },
      field("Model prefix", prefix, { help: "Begins the names of the models, such as MMD." }),
      field("Class prefix", classPrefix, { help: "Begins the app's own types, such as MD." })),
    el("h2", {}, "A package"),
    el("p", {}, "An app with the records of the definition, ready to build and run."),
    el("div", { class: "row" }, field("Name", name),
      field("Library", library, {
        help: "The URL of Waggle's repository, or the folder of a checkout on your computer." })),
    button("Download the package", () => {
      if (!library.reportValidity()) return;
      const other = [offered, ""].includes(library.value.trim()) ? null : library.value.trim();
      if (other) localStorage.setItem(libraryPlace, other);
      else localStorage.removeItem(libraryPlace);
      download("package", { name: name.value.trim(), ...(other ? { library: other } : {}) },
        `${name.value.trim()}.zip`);
    }, { kind: "primary" }),
    el("h2", {}, "Models only"),
    el("div", { class: "row" }, field("Language", language)),
    button("Download the models", () =>
      download("models", { language: language.value }, "models.zip")),
    el("h2", {}, "The definition"),
    button("Download application.xml", () =>
      saveFile(new Blob([page.draft.xml], { type: "application/xml" }), "application.xml")));
}
