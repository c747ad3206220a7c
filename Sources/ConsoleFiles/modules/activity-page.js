// Acts of operators, their scripts and the tool, newest first.
import { get, withQuery } from "./api.js";
import { el } from "./dom.js";
import { pagedList } from "./paged.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const PAGE = 100;
const shell = await openShell("activity");
await onlyFor("designer", shell, "the activity");

await pagedList(shell.main, "Earlier",
  (next) => get(withQuery("activity", { limit: PAGE, next })), draw)();

function draw(entries, shown) {
  if (entries.length === 0) {
    return emptyState("Nothing yet", "Every act appears here, before it is carried out.");
  }
  return table("Activity", [
    { title: "When", cell: ({ at }) => moment(at) },
    { title: "Who", kind: "name", cell: ({ actor }) => actor },
    { title: "From", kind: "name", cell: ({ origin }) => origin },
    { title: "What", cell: ({ act }) => act },
    { title: "Where", cell: ({ environment }) => environment ?? "" },
    {
      title: "Which", kind: "which", cell: ({ target, before, after }) => el("div", {},
        el("code", {}, target.slice(0, 60)),
        (before || after) && el("details", {}, el("summary", {}, "values"),
          before && el("p", {}, "before ", el("code", {}, before)),
          after && el("p", {}, "after ", el("code", {}, after)))),
    },
  ], entries, shown);
}
