import { ApiError, get } from "./api.js";
import { button, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import {
  createPages, environmentAddress, environmentPages, isTest, pageAddress, presentEnvironment,
  serverPages,
} from "./pages.js";
import { isSignedOut, remember, rememberedOperator } from "./session.js";
import { errorState } from "./states.js";

/**
 * Draws bar and rail round a page, and returns what the page needs: `main`, the node to fill below
 * the heading; `operator`, who asks (`name`, `scope`); `environments`, all of the server, and
 * `environment`, the name of this page's one, or null. Goes to the page to sign in if nobody is.
 */
export async function openShell(name) {
  const main = document.getElementById("main");
  const content = document.getElementById("content") ?? main.appendChild(el("div", {}));
  // A page that the browser kept has old data, perhaps of somebody who has signed out.
  addEventListener("pageshow", ({ persisted }) => persisted && location.reload());
  showLostErrors(content);
  if (rememberedOperator() === null) return goToSignIn();
  try {
    const [operator, environments] = await Promise.all([
      get("session", { quietly: true }), get("environments", { quietly: true }),
    ]);
    remember(operator.name);
    const environment = presentEnvironment();
    const shell = { name, main: content, operator, environments, environment };
    drawBar(shell);
    drawRail(shell);
    listenToKeys(shell);
    if (environment !== null) document.title = `${environment}: ${document.title}`;
    return shell;
  } catch (error) {
    if (isSignedOut(error)) return goToSignIn();
    fill(content, errorState(error, () => location.reload()));
    return new Promise(() => {});
  }
}

/** Shows the errors of actions that show none of their own, in the dialog that is open or here. */
function showLostErrors(content) {
  const place = el("div", { role: "alert" });
  addEventListener("unhandledrejection", (event) => {
    if (event.reason?.name === "AbortError") return;
    if (event.reason instanceof ApiError) event.preventDefault();
    const dialog = [...document.querySelectorAll("dialog[open] form")].at(-1);
    if (dialog) dialog.append(place);
    else if (!content.contains(place)) content.before(place);
    fill(place, errorState(event.reason));
  });
}

async function goTo(shell) {
  const { openGoTo } = await import("./go-to.js");
  openGoTo(shell);
}

/** Leaves the page; what waits for the shell never goes on. */
function goToSignIn() {
  remember(null);
  const to = location.pathname + location.search + location.hash;
  location.replace(`/console/sign-in?to=${encodeURIComponent(to)}`);
  return new Promise(() => {});
}

/** Whether an operator's scope includes another: viewer < keeper < designer. */
export function includes(operator, scope) {
  const order = ["viewer", "keeper", "designer"];
  return order.indexOf(operator.scope) >= order.indexOf(scope);
}

function drawBar(shell) {
  const { environment, environments } = shell;
  const place = environment === null ? "create" : isTest(environment) ? "test" : "use";
  document.body.dataset.place = place;
  const tests = environments.filter(({ name }) => isTest(name));
  const uses = environments.filter(({ name }) => !isTest(name));
  const present = environments.find(({ name }) => name === environment);
  fill(document.getElementById("bar"),
    button(icon("menu"), toggleRail, {
      kind: "quiet icon-only rail-button", "aria-label": "Pages", "aria-expanded": "false",
      "aria-controls": "rail",
    }),
    el("a", { class: "brand", href: "/console/", "aria-label": "Waggle" },
      icon("waggle"), el("b", {}, "Waggle")),
    el("nav", { class: "steps", "aria-label": "Steps" },
      el("a", {
        href: pageAddress(createPages[0]?.name ?? ""),
        "aria-current": place === "create" && "true",
      }, "Create"),
      step("Test", tests, place === "test"), step("Use", uses, place === "use",
        includes(shell.operator, "designer") ? pageAddress("versions") : null)),
    environment !== null && el("span", { class: "here" },
      place === "use" && icon("lock"), el("span", { title: environment }, environment)),
    el("span", { class: "gap" }, present && el("span", { class: "wide" }, present.application)),
    button([icon("search"), el("span", { class: "wide" }, "Go to")], () => goTo(shell), {
      kind: "quiet", "aria-keyshortcuts": "Control+K", "aria-label": "Go to a page",
    }),
    button(icon("theme"), nextTheme, {
      kind: "quiet icon-only", "aria-label": "Light or dark",
    }),
    operatorMenu(shell.operator));
}

/**
 * Test and Use: a link to the only environment, or a menu of several. Without one it leads to
 * `begin`, where one is made.
 */
function step(title, environments, isHere, begin = null) {
  const first = environmentPages[0]?.name ?? "";
  if (environments.length === 0) {
    return begin
      ? el("a", { href: begin, title: "deploy a version there" }, title)
      : el("span", { class: "none", title: "nothing is deployed there yet" }, title);
  }
  if (environments.length === 1) {
    return el("a", {
      href: environmentAddress(environments[0].name, first), "aria-current": isHere && "true",
    }, title);
  }
  return menu([title, icon("down")], environments.map(({ name }) =>
    el("a", { href: environmentAddress(name, first) }, name)), isHere);
}

function operatorMenu(operator) {
  return menu([icon("person"), el("span", { class: "wide" }, operator.name)], [
    el("p", {}, operator.name, el("br"), el("small", {}, operator.scope)),
    button("Requests as curl", async () => {
      const { openRequests } = await import("./curl-dialog.js");
      await openRequests();
    }, { kind: "quiet" }),
    button("Change password", async () => {
      const { changePassword } = await import("./session-dialogs.js");
      await changePassword();
    }, { kind: "quiet" }),
    button("Sign out", async () => {
      const { signOut } = await import("./sign-out.js");
      await signOut();
    }, { kind: "quiet" }),
  ], false, `Operator ${operator.name}`);
}

/** A link to an environment. Those that people rely on are marked, as they are in the bar. */
export function environmentLink(name) {
  return el("a", {
    href: environmentAddress(name, environmentPages[0]?.name ?? ""),
    class: isTest(name) ? null : "badge use",
  }, !isTest(name) && icon("lock"), name);
}

/** A menu that closes with Escape, by a click elsewhere, and when the focus leaves it. */
export function menu(title, items, isHere = false, label = null) {
  const details = el("details", { class: "menu", onkeydown: (event) => {
    if (event.key !== "Escape" || !details.open) return;
    details.open = false;
    details.querySelector("summary").focus();
  }, onfocusout: (event) => {
    if (event.relatedTarget && !details.contains(event.relatedTarget)) details.open = false;
  } },
    el("summary", { "aria-current": isHere && "true", "aria-label": label }, title),
    el("div", { class: "menu-items" }, items));
  return details;
}

document.addEventListener("click", ({ target }) => {
  for (const details of document.querySelectorAll("details.menu[open]")) {
    if (!details.contains(target)) details.open = false;
  }
});

function drawRail({ name, environment, operator }) {
  const groups = environment === null
    ? [["Create", createPages, pageAddress], ["Server", serverPages, pageAddress]]
    : [[environment, environmentPages, (page) => environmentAddress(environment, page)],
      ["Server", serverPages, pageAddress]];
  fill(document.getElementById("rail"), groups.filter(([, pages]) => pages.length > 0)
    .map(([title, pages, address]) => el("section", {},
      el("h2", {}, title),
      el("ul", {}, pages.map((page) => el("li", {},
        el("a", {
          href: address(page.name), "aria-current": page.name === name && "page",
        }, page.title)))))));
  if (environment !== null && includes(operator, "keeper")) countConflicts(environment);
}

/** The number of open conflicts stands in the name of the link to them. */
async function countConflicts(environment) {
  const address = environmentAddress(environment, "conflicts");
  const { followConflicts } = await import("./conflict-count.js");
  followConflicts(environment, document.querySelector(`#rail a[href="${CSS.escape(address)}"]`));
}

function toggleRail() {
  const isOpen = document.body.toggleAttribute("data-rail");
  const control = document.querySelector(".rail-button");
  control.setAttribute("aria-expanded", String(isOpen));
  if (isOpen) document.querySelector("#rail a")?.focus();
}

function nextTheme() {
  const root = document.documentElement;
  const isDark = root.dataset.theme
    ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
  root.dataset.theme = isDark ? "light" : "dark";
  localStorage.setItem("theme", root.dataset.theme);
}

function listenToKeys(shell) {
  document.addEventListener("keydown", (event) => {
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "k") {
      event.preventDefault();
      goTo(shell);
    } else if (event.key === "Escape" && document.body.hasAttribute("data-rail")) {
      toggleRail();
      document.querySelector(".rail-button").focus();
    }
  });
}
