import { el, fill } from "./dom.js";
import { environmentAddress, environmentPages } from "./pages.js";
import { openShell } from "./shell.js";

const shell = await openShell("start");
fill(shell.main, el("ul", { class: "plain" }, shell.environments.map(({ name, application }) =>
  el("li", {}, el("a", {
    href: environmentAddress(name, environmentPages[0]?.name ?? ""),
  }, name), " ", el("small", {}, application)))));
