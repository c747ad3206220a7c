// Calls of the administration, /admin/v1. A session that ends in the midst of work is renewed in
// place: the page keeps what was typed, and the call is sent again.
import { parseExactly } from "./exact.js";
import { noteRequest } from "./requests.js";
import { askForPassword, signInAgain } from "./session.js";

const root = "/admin/v1/";

/** An answer that is not good: `message` says what is wrong, `help` how to mend it. */
export class ApiError extends Error {
  constructor(status, { code = "unreachable", message = "", help = "", details = {} }) {
    super(message);
    this.status = status;
    this.code = code;
    this.help = help;
    this.details = details;
  }
}

/**
 * Sends a request and returns `{value, tag, response}`: the JSON of the answer (null without one)
 * and its entity tag. `body` is sent as JSON, `file` as it is; `ifMatch` as If-Match; `raw` leaves
 * the answer's body unread; `sent` gets the share of the file that has been sent, from 0 to 1. With
 * `quietly`, an ended session is an error like others.
 */
export async function send(method, path, options = {}) {
  for (;;) {
    try {
      return await sendOnce(method, path, options);
    } catch (error) {
      if (options.quietly || !(error instanceof ApiError)) throw error;
      if (error.status === 401) await signInAgain(error);
      else if (error.code === "passwordNeeded") await askForPassword(error);
      else throw error;
    }
  }
}

async function sendOnce(method, path, { body, file, ifMatch, signal, raw, sent }) {
  const headers = {};
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (ifMatch) headers["If-Match"] = ifMatch;
  noteRequest({ method, path, body, isFile: file !== undefined, ifMatch });
  let response;
  try {
    const url = path.startsWith("/") ? path : root + path;
    const ask = sent ? (await import("./upload.js")).upload : fetch;
    response = await ask(url, {
      method, headers, signal, sent, credentials: "same-origin",
      body: body === undefined ? file : JSON.stringify(body),
    });
  } catch (cause) {
    if (cause.name === "AbortError") throw cause;
    throw new ApiError(0, {
      message: "the server cannot be reached", help: "look whether it runs, and try again",
    });
  }
  if (!response.ok) throw await failure(response);
  const tag = response.headers.get("ETag");
  if (raw) return { value: null, tag, response };
  const text = await response.text();
  const isJSON = (response.headers.get("Content-Type") ?? "").includes("json");
  return { value: isJSON && text ? parseExactly(text) : text || null, tag, response };
}

async function failure(response) {
  const text = await response.text();
  try {
    return new ApiError(response.status, JSON.parse(text));
  } catch {
    return new ApiError(response.status, {
      code: "illegible", message: `the server answered with status ${response.status}`,
      help: "look into the log of the server",
    });
  }
}

/** A path from parts, each percent-encoded: at`environments/${name}/users`. */
export function at(texts, ...values) {
  return texts.reduce((path, text, index) =>
    path + encodeURIComponent(values[index - 1]) + text);
}

/** A path with parameters; those that are null, undefined or empty are left out. */
export function withQuery(path, parameters) {
  const pairs = Object.entries(parameters).filter(([, value]) =>
    value !== null && value !== undefined && value !== "");
  // A space is %20: the administration takes a plus sign as it is.
  const query = new URLSearchParams(pairs).toString().replaceAll("+", "%20");
  return pairs.length === 0 ? path : `${path}?${query}`;
}

export const get = async (path, options) => (await send("GET", path, options)).value;
export const post = async (path, body, options) =>
  (await send("POST", path, { body, ...options })).value;
export const put = async (path, body, options) =>
  (await send("PUT", path, { body, ...options })).value;
export const patch = async (path, body, options) =>
  (await send("PATCH", path, { body, ...options })).value;
export const remove = async (path, options) => (await send("DELETE", path, options)).value;

/**
 * The `entries` of a list that comes in pages, up to `most`, from the place `next` on; and `next`,
 * the place of those that follow, or null.
 */
export async function part(path, most, { next = "", ...parameters } = {}) {
  const entries = [];
  let place = next;
  do {
    const limit = Math.min(most - entries.length, 200);
    const page = await get(withQuery(path, { ...parameters, limit, next: place }));
    entries.push(...page.entries);
    place = page.next;
  } while (place !== null && entries.length < most);
  return { entries, next: place };
}

/** The first entries of a list, up to `limit`. */
export const list = async (path, limit) => (await get(withQuery(path, { limit }))).entries;
