// The number of open conflicts of an environment, as it is now.
import { at, get } from "./api.js";
import { el, fill } from "./dom.js";
import { listen } from "./live.js";

// Several changes in a row are counted once.
const WAIT_MILLISECONDS = 500;

/** Shows the number in a link to the conflicts, and again after changes. */
export function followConflicts(environment, link) {
  const title = link.textContent;
  let waiting = null;
  let last = null;
  const read = async () => {
    waiting = null;
    last?.abort();
    last = new AbortController();
    try {
      const { openConflicts } = await get(at`environments/${environment}/conflicts/count`,
        { quietly: true, signal: last.signal });
      fill(link, title,
        openConflicts > 0 && [" ", el("span", { class: "count" }, `(${openConflicts})`)]);
    } catch {
      // The number stays as it was until the next change.
    }
  };
  // A page that nobody looks at waits until somebody does.
  const readLater = () => {
    if (!document.hidden) waiting ??= setTimeout(read, WAIT_MILLISECONDS);
  };
  document.addEventListener("visibilitychange", readLater);
  listen(environment, readLater);
  return read();
}
