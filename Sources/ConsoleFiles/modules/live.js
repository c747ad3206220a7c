// Events of an environment as they come. Browsers have few connections to a server: one tab
// listens, under a lock, and tells the others.
import { at, get } from "./api.js";
import { isSignedOut, whenSignedIn } from "./session.js";

const AGAIN_MILLISECONDS = 3000;

// Tells one's own news from those of other tabs.
const thisPage = crypto.randomUUID();

/** Tells this page and other tabs that the operator has changed records, up to this sequence. */
export function tellOwnChanges(environment, sequence) {
  new BroadcastChannel("waggle-changes").postMessage({ environment, sequence, from: thisPage });
}

/**
 * Calls `heard` with the present state of an environment, and after changes and deployments in it,
 * whoever made them, with `{kind, before, after}`. The kind is `change`, `own` for changes of this
 * page, or `deployment`, each of which takes the next number: `after` is the last one, and `before`
 * the one that was told last, or null.
 */
export function listen(environment, heard) {
  if (!followed.has(environment)) followed.set(environment, follow(environment));
  const { known, listeners } = followed.get(environment);
  for (const [kind, after] of known) heard({ kind, before: null, after });
  listeners.add(heard);
}

// By environment: the last numbers by kind, and who listens on this page.
const followed = new Map();

function follow(environment) {
  const [known, listeners] = [new Map(), new Set()];
  const hear = (news) => {
    if (news.kind !== "own") known.set(news.kind, news.after);
    for (const heard of listeners) heard(news);
  };
  const channel = new BroadcastChannel(`waggle-live ${environment}`);
  channel.addEventListener("message", ({ data }) => hear(data));
  new BroadcastChannel("waggle-changes").addEventListener("message", ({ data }) => {
    if (data.environment !== environment) return;
    hear({ kind: data.from === thisPage ? "own" : "change", before: null, after: data.sequence });
  });
  const tell = (news) => {
    channel.postMessage(news);
    hear(news);
  };
  const end = new AbortController();
  let isBegun = false;
  const begin = async () => {
    if (isBegun || end.signal.aborted) return;
    isBegun = true;
    try {
      await navigator.locks.request(`waggle-live ${environment}`, { signal: end.signal },
        () => stream(environment, tell, end.signal));
    } catch (error) {
      if (error.name !== "AbortError") throw error;
    } finally {
      isBegun = false;
    }
  };
  begin();
  // While nobody is signed in it is over: another tab may ask, and this one once it is seen again.
  whenSignedIn(begin);
  document.addEventListener("visibilitychange", () => { if (!document.hidden) begin(); });
  addEventListener("pagehide", () => end.abort(), { once: true });
  return { known, listeners };
}

/**
 * Whether to listen again after the server has ended a stream. If the session has ended, the
 * operator is asked to sign in, but not by a tab that nobody sees; without that it is over.
 */
export async function mayGoOn() {
  try {
    await get("session", { quietly: document.hidden });
    return true;
  } catch (error) {
    return !isSignedOut(error);
  }
}

/** Listens until the signal, or until nobody is signed in. Begins again after a break. */
function stream(environment, tell, signal) {
  return new Promise((resolve) => {
    let source = null;
    const last = {};
    const open = () => {
      if (signal.aborted) return;
      source = new EventSource(`/admin/v1/${at`environments/${environment}/events`}`);
      for (const kind of ["change", "deployment"]) {
        source.addEventListener(kind, ({ data }) => {
          const { sequence, deployment } = JSON.parse(data);
          const after = sequence ?? deployment;
          // After a break the first event may be the same as the last one before.
          if (last[kind] !== after) tell({ kind, before: last[kind] ?? null, after });
          last[kind] = after;
        });
      }
      source.addEventListener("error", async () => {
        if (source.readyState !== EventSource.CLOSED) return;
        if (await mayGoOn()) setTimeout(open, AGAIN_MILLISECONDS);
        else resolve();
      });
    };
    signal.addEventListener("abort", () => {
      source?.close();
      resolve();
    });
    open();
  });
}
