// Events of an environment as they come. Browsers have few connections to a server: one tab
// listens, under a lock, and tells the others.
import { at, get } from "./api.js";
import { isSignedOut } from "./session.js";

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
 * the one that was told last, or null. Returns a function that ends it.
 */
export function listen(environment, heard) {
  const channel = new BroadcastChannel(`waggle-live ${environment}`);
  const own = new BroadcastChannel("waggle-changes");
  const end = new AbortController();
  channel.addEventListener("message", ({ data }) => heard(data));
  own.addEventListener("message", ({ data }) => {
    if (data.environment !== environment) return;
    heard({ kind: data.from === thisPage ? "own" : "change", before: null, after: data.sequence });
  });
  const tell = (news) => {
    channel.postMessage(news);
    heard(news);
  };
  navigator.locks.request(`waggle-live ${environment}`, { signal: end.signal },
    () => stream(environment, tell, end.signal)).catch((error) => {
    if (error.name !== "AbortError") throw error;
  });
  addEventListener("pagehide", () => end.abort(), { once: true });
  return () => {
    end.abort();
    channel.close();
    own.close();
  };
}

/**
 * Whether to listen again after the server has ended a stream. If the session has ended, the
 * operator is asked to sign in; without that it is over.
 */
export async function mayGoOn() {
  try {
    await get("session");
    return true;
  } catch (error) {
    return !isSignedOut(error);
  }
}

/** Listens until the signal, and begins again after a break. */
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
        if (source.readyState === EventSource.CLOSED && await mayGoOn()) {
          setTimeout(open, AGAIN_MILLISECONDS);
        }
      });
    };
    signal.addEventListener("abort", () => {
      source?.close();
      resolve();
    });
    open();
  });
}
