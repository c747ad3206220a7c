// Two phones over the real wire, side by side, to see what users of an app will see.
import { at, post } from "./api.js";
import { readDefinition } from "./definition.js";
import { button, el, fill } from "./dom.js";
import { listen } from "./live.js";
import { isTest } from "./pages.js";
import { Phone } from "./phone.js";
import { PhoneView } from "./phone-view.js";
import { includes, openShell } from "./shell.js";
import { emptyState, load } from "./states.js";
import { isUser } from "./user-field.js";

const sample = ["a", "b"].map((login) => ({ login, password: `password of ${login}` }));

const { main, environment, environments, operator } = await openShell("phones");
const body = el("div", {});
fill(main, el("p", {}, "Two devices that sync with this environment as an app does. Switch one "
  + "offline, change the same record on both, and sync: the conflict mode decides."), body);
const addedPlace = `waggle-phones ${environment}`;
await load(body, read, (value) => (value === null ? refusal() : phones(value)));

async function read() {
  if (!isTest(environment)) return null;
  // A viewer may not read users, but may sign in with what others tell.
  const asked = includes(operator, "keeper") ? sample : [];
  const [definition, ...areUsers] = await Promise.all([
    readDefinition(environment, environments),
    ...asked.map(({ login }) => isUser(environment, login)),
  ]);
  return { definition, missing: asked.filter((_, index) => !areUsers[index]) };
}

function refusal() {
  return el("p", {}, "Phones to play with are for test environments only: "
    + "they would change what people rely on.");
}

function phones({ definition, missing }) {
  if (definition.models.length === 0 || definition.roles.length === 0) {
    return emptyState("Nothing to sync", "The definition has no model or no role.");
  }
  const views = [];
  const tell = (sender) => {
    for (const view of views) if (view !== sender) view.follow();
  };
  sample.forEach(({ login }, index) => {
    const phone = new Phone({
      environment, identifier: `console-phone-${index + 1}`, storage: sessionStorage,
    });
    views.push(new PhoneView({
      phone, name: `Phone ${index + 1}`, kind: index === 0 ? "orange" : "green", definition,
      login, followers: tell,
    }));
  });
  listen(environment, () => { for (const view of views) view.follow(); });
  for (const view of views) view.follow();
  showSample(views);
  return [sampleUsers(definition, missing, views),
    el("div", { class: "phones" }, views.map((view) => view.node))];
}

/** Offers the users a and b, whose passwords everybody knows, while they are missing. */
function sampleUsers(definition, missing, views) {
  const place = el("p", { class: "notice" });
  if (missing.length === 0) return addedHere().length > 0 && fill(place, passwordsText());
  const { group } = definition.roles[0];
  const names = missing.map(({ login }) => login).join(" and ");
  const are = missing.length > 1 ? "are no users" : "is no user";
  return fill(place, `There ${are} ${names} yet. `, button(
    `Add test ${missing.length > 1 ? "users" : "user"} ${names}`, async () => {
      for (const { login, password } of missing) {
        await post(at`environments/${environment}/users`, { login, password, group });
        const logins = [...addedHere().map((user) => user.login), login];
        localStorage.setItem(addedPlace, JSON.stringify(logins));
      }
      fill(place, passwordsText());
      showSample(views);
    }));
}

/** The sample users that this browser has added. */
function addedHere() {
  const logins = JSON.parse(localStorage.getItem(addedPlace) ?? "[]");
  return sample.filter(({ login }) => logins.includes(login));
}

function passwordsText() {
  return `Added ${addedHere().map(({ login, password }) => `${login} (${password})`).join(", ")}`;
}

/** The phones know the passwords of the users that were added for them. */
function showSample(views) {
  for (const { login, password } of addedHere()) {
    for (const view of views.filter((each) => each.login === login)) view.suggest(password);
  }
}
