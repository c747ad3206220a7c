import { el } from "./dom.js";
import { emptyState } from "./states.js";

/** The substitute for a page while the draft has no outline, or errors. */
export function illegible(draft) {
  return !draft.isLegible
    ? emptyState("The text is not well-formed",
      "Forms cannot change it until the XML is correct again.",
      el("a", { class: "button primary", href: "/console/xml" }, "Open the XML"))
    : emptyState("The definition has errors",
      "This page shows definitions that the compiler takes.",
      el("a", { class: "button primary", href: "/console/xml" }, "See them"));
}
