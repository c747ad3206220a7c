// The requests that were sent, as lines for `curl`. Those that changed something outlast the page:
// an action may lead to another one.

const MOST = 30;
const MOST_CHARACTERS = 100_000;
const key = "waggle-requests";
const sent = [];
const changes = (all) => all.filter(({ method }) => method !== "GET");

/**
 * Keeps a request: `method`, `path`, `body` (what is sent as JSON), `isFile` for a body that is
 * sent as it is, and `ifMatch`. Signing in is none that a script could repeat, and the rail counts
 * conflicts after each change.
 */
export function noteRequest(request) {
  if (/^(session|setup)\b|\/conflicts\/count$/.test(request.path)) return;
  sent.unshift(request);
  sent.length = Math.min(sent.length, MOST);
}

/** All that are kept, newest first, as `{method, path, line}`. */
export const requests = () => [...sent.map(lined), ...kept()].slice(0, MOST);

const lined = (request) => ({ ...named(request), line: curlLine(request) });
const kept = () => JSON.parse(sessionStorage.getItem(key) ?? "[]");

/** Forgets them: somebody else may sign in. */
export function forgetRequests() {
  sent.length = 0;
  sessionStorage.removeItem(key);
}

addEventListener("pagehide", () => {
  const small = changes(sent).filter(({ body }) => !isLong(body)).map(lined);
  if (small.length === 0) return;
  const lines = JSON.stringify([...small, ...kept()].slice(0, MOST).filter(({ line }) =>
    line.length < MOST_CHARACTERS / MOST));
  try {
    sessionStorage.setItem(key, lines);
  } catch {
    // There is no room for them: the browser keeps more important things.
    sessionStorage.removeItem(key);
  }
});

/** Whether a line with this body would be too long, as of one with a definition. */
const isLong = (body) => Object.values(body ?? {}).some((value) =>
  typeof value === "string" && value.length >= MOST_CHARACTERS / MOST);

const named = ({ method, path }) => ({ method, path });

function curlLine({ method, path, body, isFile, ifMatch }) {
  const root = path.startsWith("/") ? location.origin : `${location.origin}/admin/v1/`;
  return [
    `curl ${method === "GET" ? "" : `-X ${method} `}${quoted(root + path)}`,
    '-H "Authorization: Bearer $WAGGLE_TOKEN"',
    ifMatch && `-H ${quoted(`If-Match: ${ifMatch}`)}`,
    body !== undefined && "-H 'Content-Type: application/json'",
    body !== undefined && `--data-binary ${quoted(JSON.stringify(body, withoutSecret))}`,
    isFile && "--data-binary @FILE",
  ].filter(Boolean).join(" \\\n  ");
}

/** Passwords are not kept. */
const withoutSecret = (name, value) =>
  (/password/i.test(name) && typeof value === "string" ? "PASSWORD" : value);

/** A text in single quotes, as shells take it literally. */
const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;
