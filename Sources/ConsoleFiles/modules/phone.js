// A device on the native wire, as the page "The wire" of the documentation describes a client.
// It keeps its records and its unsent changes in a storage with the interface of `sessionStorage`.
import { parseExactly } from "./exact.js";

/** An answer of the server that is an error, or no answer at all (`code` is "unreachable"). */
export class WireError extends Error {
  constructor(code, message, help = "") {
    super(message);
    this.code = code;
    this.help = help;
  }
}

const ENDED = ["tokenUnknown", "tokenMissing", "roleUnknown"];
// Repeating such an upload is of no use.
const REFUSED_FILES = ["fileTooLarge", "uploadNotAllowed", "fileNotYours", "fileExists"];
const FOREIGN_CURSOR = ["cursorForeign", "cursorUnreadable"];
const MAX_CHANGES = 1000;
const MAX_FILE_BYTES = 10_000_000;

const empty = () => ({
  session: null, cursor: null, records: {}, queue: [], acknowledged: [], refused: [], marked: null,
  files: {}, isOnline: true,
});

const filePath = (guid) => `files/${encodeURIComponent(guid)}`;
const bytesOf = (base64) => Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));

/** The contents of a file in Base64. */
const base64 = (file) => new Promise((resolve, reject) => {
  const reader = new FileReader();
  reader.addEventListener("load", () => resolve(reader.result.split(",")[1] ?? ""));
  reader.addEventListener("error", () => reject(reader.error));
  reader.readAsDataURL(file);
});

async function jsonOf(response) {
  const text = await response.text();
  return text === "" ? {} : parseExactly(text);
}

export class Phone extends EventTarget {
  /**
   * `identifier` names the installation for good: 1 to 128 visible ASCII characters.
   * `fetch` and `storage` are those of the browser, or of a test.
   */
  constructor({ environment, identifier, fetch = globalThis.fetch.bind(globalThis), storage }) {
    super();
    this.environment = environment;
    this.identifier = identifier;
    this.fetch = fetch;
    this.storage = storage;
    this.key = `waggle phone ${environment} ${identifier}`;
    this.running = null;
    this.isStored = true;
    this.state = { ...empty(), ...parseExactly(storage.getItem(this.key) ?? "{}") };
  }

  get session() { return this.state.session }
  get isOnline() { return this.state.isOnline }
  /** The changes that wait to be sent. */
  get waiting() { return this.state.queue.length }
  get refused() { return this.state.refused }

  // MARK: Signing in

  /** Throws a WireError. Another user or another database begins without records. */
  async signIn(login, password, deviceCategory) {
    const session = await this.#call("session", {
      login, password, deviceCategory, deviceIdentifier: this.identifier,
    });
    const last = this.state.session ?? this.state.lastSession;
    const isSame = last?.login === session.login && last?.instance === session.instance;
    const kept = isSame ? this.state : { ...empty(), isOnline: this.state.isOnline };
    this.state = { ...kept, session, lastSession: null };
    this.#changed();
    if (this.isOnline) await this.sync();
  }

  /** Ends the session at the server too, and forgets what the phone holds. */
  async signOut() {
    if (this.session && this.isOnline) await this.#call("session", null, "DELETE");
    this.state = { ...empty(), isOnline: this.state.isOnline };
    this.#changed();
  }

  /** Throws a WireError if the phone goes online and cannot sync. */
  async setOnline(isOnline) {
    this.state.isOnline = isOnline;
    this.#changed();
    if (isOnline && this.session) await this.sync();
  }

  // MARK: Records

  /** All records as the user of the phone sees them: the server"s, with the unsent changes. */
  records() {
    const guids = new Set(Object.keys(this.state.records));
    for (const change of this.state.queue) guids.add(change.guid);
    return [...guids].map((guid) => this.record(guid)).filter((record) => record !== null);
  }

  /** Null if the phone has no such record, or deleted it. */
  record(guid) {
    const stored = this.state.records[guid];
    const changes = this.state.queue.filter((change) => change.guid === guid);
    if (!stored && changes.length === 0) return null;
    const record = stored
      ? { ...stored, fields: { ...stored.fields }, waiting: changes.length }
      : {
          model: changes[0].model, guid, revision: null, owner: this.session?.login ?? "",
          group: this.session?.group ?? "", deleted: false, conflicted: false, fields: {},
          waiting: changes.length,
        }
    for (const change of changes) {
      Object.assign(record.fields, change.fields ?? {});
      if (change.action === "delete") record.deleted = true;
      if (change.action === "resolve") Object.assign(record, { conflicted: false, conflicts: [] });
    }
    return record.deleted && !record.conflicted ? null : record;
  }

  /** Returns the new record"s guid. */
  create(model, fields) {
    const guid = crypto.randomUUID();
    this.#enqueue({ action: "create", model, guid, fields });
    return guid;
  }

  /** `fields` has the changed values only; null removes one. */
  update(guid, fields) {
    this.#enqueue({ action: "update", model: this.record(guid).model, guid, fields });
  }

  delete(guid) {
    this.#enqueue({ action: "delete", model: this.record(guid).model, guid });
  }

  /** Closes the conflicts of a record. With `isDeletion` the record is deleted. */
  resolve(guid, fields, isDeletion = false) {
    const { model } = this.record(guid);
    this.#enqueue({
      action: "resolve", model, guid, ...(Object.keys(fields).length ? { fields } : {}),
    });
    if (isDeletion) this.#enqueue({ action: "delete", model, guid });
  }

  /** Keeps a file for the next sync. Throws a WireError if it is too large. */
  async addFile(guid, file) {
    if (file.size > MAX_FILE_BYTES) {
      throw new WireError("fileTooLarge", `'${file.name}' is too large for this phone`,
        `choose a file of at most ${MAX_FILE_BYTES} bytes`);
    }
    this.state.files[guid] = await base64(file);
    this.#changed();
  }

  /** The contents of a file: those that wait here, or else the server's. */
  async readFile(guid) {
    const waiting = this.state.files[guid];
    return waiting === undefined ? (await this.#request(filePath(guid), "GET")).blob()
      : new Blob([bytesOf(waiting)]);
  }

  /** Forgets a refused change once the user has seen it. */
  dismiss(id) {
    this.state.refused = this.state.refused.filter((refusal) => refusal.change.id !== id);
    this.#changed();
  }

  #enqueue(change) {
    if (this.state.queue.length >= MAX_CHANGES) {
      throw new WireError("tooManyChanges", `${MAX_CHANGES} changes wait`, "sync first");
    }
    const { queue, records } = this.state;
    const follows = queue.some((queued) => queued.guid === change.guid);
    const base = change.action === "create" || follows
      ? {} : { base: records[change.guid].revision };
    queue.push({ id: crypto.randomUUID(), ...base, ...change });
    this.#changed();
  }

  // MARK: Syncing

  /** Sends what waits and receives everything new. Throws a WireError; nothing is lost then. */
  sync() {
    this.running ??= this.#syncAll().finally(() => { this.running = null });
    return this.running;
  }

  async #syncAll() {
    if (!this.session) throw new WireError("tokenMissing", "nobody is signed in", "sign in");
    // Before the records: whoever gets one of these can read its file.
    const refusal = await this.#sendFiles();
    let isMore = true;
    while (isMore) {
      const sent = this.state.queue.slice(0, MAX_CHANGES);
      const acknowledged = this.state.acknowledged.slice(0, MAX_CHANGES);
      const body = { changes: sent, acknowledged };
      if (this.state.cursor) body.cursor = this.state.cursor;
      let response;
      try {
        response = await this.#call("sync", body);
      } catch (error) {
        if (!FOREIGN_CURSOR.includes(error.code) || !this.state.cursor) throw error;
        this.#startOver();
        continue;
      }
      this.#receive(sent, acknowledged, response);
      isMore = response.more || (this.isOnline && this.state.queue.length > 0);
    }
    if (refusal) throw refusal;
  }

  /** Returns the last refusal of a file, which does not hold up the records; null without one. */
  async #sendFiles() {
    let refusal = null;
    for (const [guid, contents] of Object.entries(this.state.files)) {
      const bytes = bytesOf(contents);
      const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
      try {
        await this.#request(filePath(guid), "PUT", bytes, {
          "Repr-Digest": `sha-256=:${btoa(String.fromCharCode(...digest))}:` });
      } catch (error) {
        if (!REFUSED_FILES.includes(error.code)) throw error;
        refusal = error;
      }
      delete this.state.files[guid];
      this.#changed();
    }
    return refusal;
  }

  #startOver() {
    this.state.cursor = null;
    this.state.marked = Object.keys(this.state.records);
  }

  /** Stores one response as a whole. */
  #receive(sent, acknowledged, response) {
    const state = this.state;
    if (response.resync) this.#startOver();
    const marked = new Set(state.marked ?? []);
    for (const record of response.records) {
      marked.delete(record.guid);
      if (record.deleted && !record.conflicted) delete state.records[record.guid];
      else state.records[record.guid] = record;
    }
    for (const { guid } of response.dropped) delete state.records[guid];
    if (state.marked && !response.more) for (const guid of marked) delete state.records[guid];
    state.marked = state.marked && response.more ? [...marked] : null;
    state.cursor = response.cursor;
    const done = new Set(acknowledged);
    state.acknowledged = state.acknowledged.filter((id) => !done.has(id));
    this.#settle(sent, response.outcomes);
    this.#changed();
  }

  /** Takes changes with an outcome out of the queue. */
  #settle(sent, outcomes) {
    const state = this.state;
    const decided = new Map(outcomes.map((outcome) => [outcome.id, outcome]));
    const last = new Map();
    for (const change of sent) {
      const outcome = decided.get(change.id);
      if (!outcome) continue;
      state.acknowledged.push(change.id);
      if (outcome.outcome === "refused") state.refused.push({ change, causes: outcome.causes });
      const before = last.get(change.guid);
      const isGone = outcome.outcome === "refused"
        && (change.action === "create" || before?.isGone === true);
      last.set(change.guid, { base: change.base ?? before?.base ?? 1, isGone, outcome });
    }
    state.queue = state.queue.filter((change) => !decided.has(change.id));
    this.#rebase(last);
  }

  /** Changes that were made during the request go out without those that they follow. */
  #rebase(last) {
    const seen = new Set();
    this.state.queue = this.state.queue.filter((change) => {
      const before = last.get(change.guid);
      if (!before) return true;
      if (before.isGone) {
        this.state.refused.push({ change, causes: before.outcome.causes });
        return false;
      }
      if (!seen.has(change.guid) && change.base === undefined) change.base = before.base;
      seen.add(change.guid);
      return true;
    });
  }

  // MARK: Calls

  async #call(path, body, method = "POST") {
    const response = await this.#request(path, method,
      body === null ? undefined : JSON.stringify(body), { "Content-Type": "application/json" });
    return response.status === 204 ? null : jsonOf(response);
  }

  /** Returns a response that is good; throws a WireError for others. */
  async #request(path, method, body, headers = {}) {
    if (!this.isOnline && path !== "session") {
      throw new WireError("offline", "the phone is offline", "switch it online");
    }
    if (this.session) headers.Authorization = `Bearer ${this.session.token}`;
    let response;
    try {
      response = await this.fetch(`/v1/${encodeURIComponent(this.environment)}/${path}`, {
        method, headers, body, credentials: "omit", cache: "no-store",
      });
    } catch {
      throw new WireError("unreachable", "the server does not answer", "sync again later");
    }
    if (response.ok) return response;
    const answer = await jsonOf(response);
    if (ENDED.includes(answer.code)) this.#endSession();
    throw new WireError(answer.code ?? "internal", answer.message ?? "it failed", answer.help);
  }

  /** Keeps records and unsent changes for the next sign-in of the same user. */
  #endSession() {
    const { token, ...lastSession } = this.state.session;
    this.state = { ...this.state, session: null, lastSession };
    this.#changed();
  }

  #changed() {
    try {
      this.storage.setItem(this.key, JSON.stringify(this.state));
      this.isStored = true;
    } catch {
      // Too much for the storage of a page: the phone goes on, until the page is left.
      this.isStored = false;
    }
    this.dispatchEvent(new Event("change"));
  }
}
