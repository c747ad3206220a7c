import { button, el, fill } from "./dom.js";
import { keepingFocus } from "./focus.js";
import { errorText, load } from "./states.js";

/**
 * Shows in a node a list that comes in pages: `read(next)` returns `{entries, next}` of the page at
 * a place, null for the first one. The button `more` adds the next page to those that are shown,
 * which stay if it cannot be read. `draw(entries, shown)` returns the contents; the first `shown`
 * entries were there before. Returns a function that begins anew.
 */
export function pagedList(node, more, read, draw) {
  let entries = [];
  const show = (page) => {
    const shown = entries.length;
    entries = [...entries, ...page.entries];
    return [draw(entries, shown), page.next && moreButton(page.next)];
  };
  const moreButton = (next) => {
    const failure = el("div", { role: "alert" });
    const before = entries;
    return el("div", {}, failure, button(more, async () => {
      try {
        const page = await read(next);
        // The list may have begun anew, or the button have been pressed twice.
        if (entries === before) keepingFocus(node, () => fill(node, show(page)));
      } catch (error) {
        fill(failure, errorText(error));
      }
    }));
  };
  return () => load(node, () => read(null), (page) => {
    entries = [];
    return show(page);
  });
}
