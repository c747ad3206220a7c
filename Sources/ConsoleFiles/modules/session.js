import { ApiError, post } from "./api.js";
import { openDialog } from "./dialog.js";
import { el, field } from "./dom.js";
import { forgetRequests } from "./requests.js";

let asked = null;

/** One question at a time: calls that fail together wait for the same answer. */
function once(ask) {
  asked ??= ask().finally(() => { asked = null; });
  return asked;
}

/** Asks for name and password in place. Throws `error` if the operator gives up. */
export function signInAgain(error) {
  return once(async () => {
    const name = el("input", {
      name: "name", autocomplete: "username", required: true,
      value: rememberedOperator() ?? "",
    });
    const password = passwordInput();
    const isDone = await openDialog({
      title: "Sign in again",
      text: "The session has ended. What you typed is still here.",
      content: [field("Name", name), field("Password", password)],
      confirm: "Sign in",
      action: () => signIn(name.value, password.value),
    });
    if (!isDone) throw error;
  });
}

/** Asks for the password again, as operations on production need it. */
export function askForPassword(error) {
  return once(async () => {
    const password = passwordInput();
    const isDone = await openDialog({
      title: "Your password, please",
      text: "This changes production or who may administer it.",
      content: [knownName(), field("Password", password)],
      confirm: "Continue",
      action: () => post("session/confirmation", { password: password.value }, { quietly: true }),
    });
    if (!isDone) throw error;
  });
}

/** Signs in, and remembers the name. */
export async function signIn(name, password) {
  const session = await post("session", { name, password }, { quietly: true });
  remember(session.name);
  return session;
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

/** The operator's name, for password managers: they fill in the password that belongs to it. */
function knownName() {
  return el("input", {
    type: "text", name: "name", autocomplete: "username", hidden: true,
    value: rememberedOperator() ?? "",
  });
}

/** An input for a password that the browser may fill in. */
export function passwordInput(autocomplete = "current-password") {
  return el("input", { type: "password", name: "password", autocomplete, required: true });
}

/** Whether an error means that nobody is signed in. */
export function isSignedOut(error) {
  return error instanceof ApiError && error.status === 401;
}
