import { ApiError, post } from "./api.js";
import { el } from "./dom.js";
import { forgetRequests } from "./requests.js";

let asked = null;
// Whether the operator signs out: nobody is asked to sign in then.
let isOver = false;

/** One question at a time: calls that fail together wait for the same answer. */
function once(ask) {
  asked ??= ask().finally(() => { asked = null; });
  return asked;
}

/**
 * Asks for name and password in place. Throws `error` if the operator gives up, or has signed out.
 */
export const signInAgain = (error) => once(async () => {
  if (isOver) throw error;
  return (await import("./session-dialogs.js")).signInAgain(error);
});

/** Asks for the password again, as operations on production need it. Throws as `signInAgain`. */
export const askForPassword = (error) =>
  once(async () => (await import("./session-dialogs.js")).askForPassword(error));

/** Signs out by a request. A session that has ended already needs none. */
export async function endSession(ask) {
  isOver = true;
  try {
    await ask();
  } catch (error) {
    if (isSignedOut(error)) return;
    isOver = false;
    throw error;
  }
}

const signedIn = () => new BroadcastChannel("waggle-signed-in");

/** Signs in, remembers the name, and tells all tabs. */
export async function signIn(name, password) {
  const session = await post("session", { name, password }, { quietly: true });
  remember(session.name);
  signedIn().postMessage(null);
  return session;
}

/** Calls a function whenever somebody has signed in, in any tab. Returns one that ends it. */
export function whenSignedIn(heard) {
  const channel = signedIn();
  channel.addEventListener("message", () => heard());
  return () => channel.close();
}

/**
 * The name of the operator who signed in with this browser, or null. Without it nobody needs to
 * ask the server, which would answer with an error.
 */
export const rememberedOperator = () => localStorage.getItem("operator");

/** Remembers the name of who signed in; null for nobody. */
export function remember(name) {
  if (name === null) {
    localStorage.removeItem("operator");
    forgetRequests();
  } else localStorage.setItem("operator", name);
}

/** An input for a password that the browser may fill in. */
export function passwordInput(autocomplete = "current-password") {
  return el("input", { type: "password", name: "password", autocomplete, required: true });
}

/** Whether an error means that nobody is signed in. */
export function isSignedOut(error) {
  return error instanceof ApiError && error.status === 401;
}
