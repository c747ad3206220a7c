// The operators who design a draft at the same time, and the one who wrote it.
import { at } from "./api.js";
import { mayGoOn } from "./live.js";
import { whenSignedIn } from "./session.js";

const AGAIN_MILLISECONDS = 3000;

/**
 * Listens while the page is visible. Calls `designers` with the names of all who do, and `written`
 * with `{revision, author}`, at first and after each write.
 */
export function followDraft(name, { designers, written }) {
  let source = null;
  const read = (listener) => ({ data }) => listener(JSON.parse(data));
  const follow = () => {
    if (document.visibilityState !== "visible") {
      source?.close();
      source = null;
    } else if (source === null || source.readyState === EventSource.CLOSED) {
      source = new EventSource(`/admin/v1/${at`drafts/${name}/events`}`);
      source.addEventListener("designers", read(({ names }) => designers(names)));
      source.addEventListener("draft", read(written));
      source.addEventListener("error", async () => {
        if (source?.readyState === EventSource.CLOSED && await mayGoOn()) {
          setTimeout(follow, AGAIN_MILLISECONDS);
        }
      });
    }
  };
  document.addEventListener("visibilitychange", follow);
  whenSignedIn(follow);
  addEventListener("pagehide", () => {
    source?.close();
    source = null;
  });
  addEventListener("pageshow", follow);
  follow();
}
