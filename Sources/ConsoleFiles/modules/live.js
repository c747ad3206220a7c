// Events of an environment as they come. Browsers have few connections to a server: one tab
// listens, under a lock, and tells the others.
import { at } from "./api.js";

const AGAIN_MILLISECONDS = 3000;

/**
 * Calls `heard` after each change and deployment in an environment, whoever made it: with `change`
 * or `deployment`. Returns a function that ends it.
 */
export function listen(environment, heard) {
  const channel = new BroadcastChannel(`waggle-live ${environment}`);
  const own = new BroadcastChannel("waggle-changes");
  const end = new AbortController();
  channel.addEventListener("message", ({ data }) => heard(data));
  own.addEventListener("message", ({ data }) => {
    if (data.environment === environment) heard("change");
  });
  const tell = (kind) => {
    channel.postMessage(kind);
    heard(kind);
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
          // The first event of each kind is the present state; after a break it may be the same.
          if (last[kind] !== undefined && last[kind] !== data) tell(kind);
          last[kind] = data;
        });
      }
      source.addEventListener("error", () => {
        if (source.readyState === EventSource.CLOSED) setTimeout(open, AGAIN_MILLISECONDS);
      });
    };
    signal.addEventListener("abort", () => {
      source?.close();
      resolve();
    });
    open();
  });
}
