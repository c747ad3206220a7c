import { post } from "./api.js";
import { el, field, fill } from "./dom.js";
import { passwordInput, remember } from "./session.js";
import { emptyState, errorText } from "./states.js";

// The token is in the fragment, which browsers send to nobody. It is taken out of the address.
const token = location.hash.slice(1);
history.replaceState(null, "", location.pathname);

function draw() {
  const name = el("input", {
    type: "text", name: "name", autocomplete: "username", required: true,
  });
  const password = passwordInput("new-password");
  const failure = el("div", { role: "alert" });
  const send = el("button", { type: "submit", class: "primary" }, "Begin");
  const form = el("form", { onsubmit: async (event) => {
    event.preventDefault();
    send.disabled = true;
    try {
      const session = await post("setup",
        { token, name: name.value, password: password.value }, { quietly: true });
      remember(session.name);
      location.replace("/console/");
    } catch (error) {
      fill(failure, errorText(error));
    } finally {
      send.disabled = false;
    }
  } },
    field("Name", name, { help: "As the activity log shows it, such as ann." }),
    field("Password", password, { help: "At least 8 characters. A sentence is best." }),
    failure, el("div", { class: "buttons" }, send));
  fill(document.getElementById("content"), form);
  name.focus();
}

if (token) draw();
else {
  fill(document.getElementById("content"), emptyState(
    "The address has no token",
    "The server prints the whole address when it starts. It works once, for 30 minutes.",
    el("a", { class: "button", href: "/console/sign-in" }, "Sign in instead")));
}
