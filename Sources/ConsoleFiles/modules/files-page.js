// The files of an environment. They are shown only if they are the images that they seem to be.
import { at, get, withQuery } from "./api.js";
import { openDialog } from "./dialog.js";
import { button, el, fill } from "./dom.js";
import { pagedList } from "./paged.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, errorText } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const PAGE = 100;
const shell = await openShell("files");
await onlyFor("keeper", shell, "files");
const { main, environment } = shell;
const address = at`environments/${environment}/files`;
const show = pagedList(main, "More",
  (next) => get(withQuery(address, { limit: PAGE, next })), draw);

await show();

function draw(files, shown) {
  if (files.length === 0) {
    return emptyState("No files", "They appear here when devices have sent them.");
  }
  return table("Files", [
    { title: "File", kind: "name", cell: ({ guid }) => guid },
    { title: "Sent by", kind: "name", cell: ({ login }) => login },
    { title: "When", cell: ({ at: sentAt }) => moment(sentAt) },
    { title: "Bytes", kind: "number", cell: ({ size }) => (size === null ? "" : String(size)) },
    {
      title: "State", cell: ({ complete, named }) => (complete
        ? (named ? "in a record" : "in no record yet") : "▲ not complete"),
    },
    {
      title: "Actions", kind: "actions", cell: ({ guid, complete, named }) =>
        complete && named && [
          button("Show", () => preview(guid), { kind: "quiet", "aria-label": `Show ${guid}` }),
          el("a", { href: `/admin/v1/${address}/${guid}`, download: guid }, "Download")],
    },
  ], files, shown);
}

/** The server says whether the first bytes are those of an image. */
function preview(guid) {
  const place = el("div", {}, "…");
  const image = el("img", {
    src: `/admin/v1/${address}/${guid}?preview=true`, alt: `File ${guid}`, class: "preview",
    onload: () => fill(place, image),
    onerror: () => fill(place, errorText({
      message: "this file is not an image that can be shown", help: "download it" })),
  });
  return openDialog({ title: "File", content: [place], confirm: "Close", cancel: null });
}
