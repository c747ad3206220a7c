// Lists that have changed since they were read. Rows never jump: a line tells how much is new.
import { fill } from "./dom.js";
import { listen } from "./live.js";
import { staleLine } from "./states.js";

/**
 * Tells in a node of changes in an environment, whoever made them; `show` reads the list again.
 * `present` is the environment as the page read it before the list. Returns a function that takes
 * newer changes away, to be called when the list is read otherwise. Another deployment stays: the
 * page knows the models of the one before, until it is loaded again.
 */
export function followChanges(environment, node, show, present) {
  // The numbers of the last change and of the deployment that the list shows, and of the last ones
  // that there are. The first is null if the database was restored, so that others are compared.
  let listed = present.sequence;
  const deployed = present.deployment;
  let [last, lastDeployed] = [listed, deployed];
  let line = null;
  const clear = () => {
    listed = last;
    draw();
  };
  const draw = () => {
    if (last === listed && lastDeployed === deployed) {
      line = null;
      return fill(node);
    }
    const text = lastDeployed !== deployed ? "Another version was deployed." : newer(listed, last);
    if (line) {
      // The button keeps the focus.
      line.firstChild.data = text;
      return undefined;
    }
    line = staleLine(text, () => {
      // Models and fields may be other ones now.
      if (lastDeployed !== deployed) return location.reload();
      clear();
      return show();
    });
    return fill(node, line);
  };
  listen(environment, ({ kind, before, after }) => {
    const isRestored = before !== null && after < before;
    if (kind === "deployment") lastDeployed = after;
    else last = isRestored ? after : Math.max(last, after);
    if (kind === "own") listed = Math.max(listed, after);
    if (kind === "change" && isRestored) listed = null;
    draw();
  });
  return clear;
}

function newer(listed, last) {
  if (listed === null) return "There are newer changes.";
  return last - listed === 1 ? "1 newer change." : `${last - listed} newer changes.`;
}
