// Pages that only some operators see.
import { el, fill } from "./dom.js";
import { includes } from "./shell.js";

const seers = { keeper: "keepers and designers", designer: "designers" };

/** Lets a page go on for operators with a scope. To others it says who sees what it shows. */
export async function onlyFor(scope, { main, operator }, what) {
  if (includes(operator, scope)) return;
  fill(main, el("p", {}, `Only ${seers[scope]} see ${what}.`));
  await new Promise(() => {});
}
