// The questions of a page whose session has ended, or is too old for what it asks.
import { post, put } from "./api.js";
import { openDialog } from "./dialog.js";
import { el, field } from "./dom.js";
import { passwordInput, rememberedOperator, signIn, whenSignedIn } from "./session.js";
import { toast } from "./states.js";

/**
 * Asks for name and password in place, until the operator has signed in, here or in another tab.
 * Throws `error` if the operator gives up.
 */
export async function signInAgain(error) {
  const name = el("input", {
    name: "name", autocomplete: "username", required: true, value: rememberedOperator() ?? "",
  });
  const password = passwordInput();
  let isDone = false;
  let forget = null;
  await openDialog({
    title: "Sign in again",
    text: "The session has ended. What you typed is still here.",
    content: (_, close) => {
      forget = whenSignedIn(() => {
        isDone = true;
        close();
      });
      return [field("Name", name), field("Password", password)];
    },
    confirm: "Sign in",
    action: async () => {
      await signIn(name.value, password.value);
      isDone = true;
    },
  });
  forget();
  if (!isDone) throw error;
}

/** Asks for the password again. Throws `error` if the operator gives up. */
export async function askForPassword(error) {
  const password = passwordInput();
  const isDone = await openDialog({
    title: "Your password, please",
    text: "This changes production or who may administer it, or cannot be undone.",
    content: [knownName(), field("Password", password)],
    confirm: "Continue",
    action: () => post("session/confirmation", { password: password.value }, { quietly: true }),
  });
  if (!isDone) throw error;
}

/** Changes one's own password, which ends all sessions, and signs in with the new one. */
export async function changePassword() {
  const [present, next] = [passwordInput(), passwordInput("new-password")];
  return openDialog({
    title: "Change your password", confirm: "Change",
    text: "It ends your sessions in other browsers.",
    content: [knownName(), field("Present password", present), field("New password", next)],
    action: async () => {
      await put("session/password", { password: present.value, newPassword: next.value },
        { quietly: true });
      await signIn(rememberedOperator(), next.value);
      toast("Your password is changed");
    },
  });
}

/** The operator's name, for password managers: they fill in the password that belongs to it. */
function knownName() {
  return el("input", {
    type: "text", name: "name", autocomplete: "username", hidden: true,
    value: rememberedOperator() ?? "",
  });
}
