// The requests of the page as lines for `curl`, to be copied.
import { openDialog } from "./dialog.js";
import { button, el } from "./dom.js";
import { pageAddress } from "./pages.js";
import { requests } from "./requests.js";
import { emptyState, toast } from "./states.js";

/** Shows what was sent last, with a button for each that copies its line. */
export function openRequests() {
  const all = requests();
  return openDialog({
    title: "Requests as curl", confirm: "Done", cancel: null,
    content: all.length === 0
      ? emptyState("No requests", "What the page asks and does appears here.")
      : [el("p", {}, "What was asked and done last comes first. A ",
        el("a", { href: pageAddress("tokens") }, "token"), " in the variable ",
        el("code", {}, "WAGGLE_TOKEN"), " lets a script do the same."),
      el("ol", { class: "plain requests" }, all.map(entry))],
  });
}

function entry({ method, path, line }) {
  const name = `${method} ${decoded(path.split("?")[0])}`;
  return el("li", {},
    el("details", {}, el("summary", {}, el("code", {}, name)), el("pre", {}, line)),
    button("Copy", async () => {
      await navigator.clipboard.writeText(line);
      toast("Copied");
    }, { "aria-label": `Copy ${name}` }));
}

/** A path as people write it. */
function decoded(path) {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
