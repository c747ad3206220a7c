import { button } from "./dom.js";
import { load } from "./states.js";

/**
 * Shows in a node a list that comes in pages: `read(next)` returns `{entries, next}` of the page at
 * a place, null for the first one. The button `more` adds the next page to those that are shown.
 * `draw(entries, shown)` returns the contents; the first `shown` entries were there before. Returns
 * a function that begins anew.
 */
export function pagedList(node, more, read, draw) {
  let entries = [];
  const show = (place) => load(node, () => read(place), (page) => {
    const shown = place === null ? 0 : entries.length;
    entries = [...entries.slice(0, shown), ...page.entries];
    return [draw(entries, shown), page.next && button(more, () => show(page.next))];
  });
  return () => show(null);
}
