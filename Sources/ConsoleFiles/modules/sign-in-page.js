import { get } from "./api.js";
import { el, field, fill } from "./dom.js";
import { passwordInput, rememberedOperator, signIn } from "./session.js";
import { errorText } from "./states.js";

/** Where to go afterwards: a page of the console, and nothing else. */
function destination() {
  const to = new URLSearchParams(location.search).get("to") ?? "";
  return /^\/console\/(?!sign-in)/.test(to) ? to : "/console/";
}

function draw() {
  const name = el("input", {
    type: "text", name: "name", autocomplete: "username", required: true,
    value: rememberedOperator() ?? "",
  });
  const password = passwordInput();
  const failure = el("div", { role: "alert" });
  const send = el("button", { type: "submit", class: "primary" }, "Sign in");
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      await signIn(name.value, password.value);
      location.replace(destination());
    } catch (error) {
      fill(failure, errorText(error));
      password.select();
    } finally {
      send.disabled = false;
    }
  } }, field("Name", name), field("Password", password), failure,
    el("div", { class: "buttons" }, send));
  fill(document.getElementById("content"), form);
  (name.value ? password : name).focus();
}

if (rememberedOperator() === null) draw();
else {
  try {
    await get("session", { quietly: true });
    location.replace(destination());
  } catch {
    draw();
  }
}
