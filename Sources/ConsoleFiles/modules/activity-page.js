// Acts of operators, their scripts and the tool, newest first.
import { get, withQuery } from "./api.js";
import { button, el, fill } from "./dom.js";
import { keepingFocus } from "./focus.js";
import { onlyFor } from "./scopes.js";
import { openShell } from "./shell.js";
import { emptyState, load, errorText } from "./states.js";
import { table } from "./table.js";
import { moment } from "./values.js";

const PAGE = 100;
const shell = await openShell("activity");
await onlyFor("designer", shell, "the activity");
const { main } = shell;
const entries = [];
const more = el("div", {});

await load(main, () => page(null), (first) => show(first));

function page(next) {
  return get(withQuery("activity", { limit: PAGE, next }));
}

function show(read) {
  const shown = entries.length;
  entries.push(...read.entries);
  fill(more, read.next && button("Earlier", async () => {
    try {
      const earlier = await page(read.next);
      keepingFocus(main, () => fill(main, show(earlier)));
    } catch (error) {
      fill(more, errorText(error));
    }
  }));
  return entries.length === 0
    ? emptyState("Nothing yet", "Every act appears here, before it is carried out.")
    : [list(shown), more];
}

function list(shown) {
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
