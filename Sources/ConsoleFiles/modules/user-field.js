// An input for a user. There may be very many: the server suggests some whose login, group or mail
// has what is typed.
import { at, get, withQuery } from "./api.js";
import { el, field, fill, freshID } from "./dom.js";

const MOST = 20;

/** The first users of an environment that have a text in login, group or mail. */
export async function findUsers(environment, search, limit = MOST) {
  const path = at`environments/${environment}/users`;
  return (await get(withQuery(path, { search, limit }))).entries;
}

/** Whether there is a user with just this login: the server finds those that have it in theirs. */
export async function isUser(environment, login) {
  for (let next = ""; next !== null;) {
    const path = at`environments/${environment}/users`;
    const page = await get(withQuery(path, { search: login, limit: 200, next }));
    if (page.entries.some((user) => user.login === login)) return true;
    // They come in the order of their logins.
    next = page.entries.at(-1)?.login > login ? null : page.next;
  }
  return false;
}

/**
 * A field for a login, whose input is `control`. `suggest(user)` returns the texts to choose for a
 * user, and `searched(text)` the part of the typed text that the server searches.
 */
export function userField(environment, title, {
  help = "The login of a user.", suggest = ({ login }) => [login], searched = (text) => text,
  ...attributes
} = {}) {
  const known = el("datalist", { id: freshID("users") });
  let asked = null;
  const ask = async () => {
    const text = searched(control.value.trim());
    if (asked === text) return;
    asked = text;
    try {
      const users = await findUsers(environment, text);
      if (asked !== text) return;
      fill(known, users.flatMap(suggest).map((value) => el("option", { value })));
    } catch {
      // A login can be typed without suggestions.
      asked = null;
    }
  };
  const control = el("input", {
    type: "text", list: known.id, autocomplete: "off", spellcheck: "false", onfocus: ask,
    oninput: ask, ...attributes,
  });
  const node = field(title, control, { help });
  node.append(known);
  return node;
}
