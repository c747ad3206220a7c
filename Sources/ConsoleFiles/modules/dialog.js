import { button, el, fill } from "./dom.js";
import { errorText } from "./states.js";

/**
 * Opens a form over the page. `action` runs when it is sent; if it throws, the form stays with the
 * error and all that was typed. Returns what `action` returns, or true; null if it was given up.
 * Without `confirm` there is nothing to send. `content` may be a function, which gets `allow`,
 * that locks (false) and opens (true) the button that sends, and `close`.
 */
export function openDialog({
  title, text = null, content = [], confirm = "OK", cancel = "Cancel", kind = "primary",
  action = () => true,
}) {
  return new Promise((resolve) => {
    let result = null;
    const failure = el("div", { role: "alert" });
    const send = el("button", { type: "submit", class: kind, hidden: !confirm }, confirm);
    let isAllowed = true;
    const allow = (isGood) => {
      isAllowed = isGood;
      send.disabled = !isGood;
    };
    const form = el("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      send.disabled = true;
      try {
        result = (await action()) ?? true;
        dialog.close();
      } catch (error) {
        fill(failure, errorText(error));
        failure.scrollIntoView({ block: "nearest" });
      } finally {
        send.disabled = !isAllowed;
      }
    } },
      el("h2", {}, title), text && el("p", {}, text),
      typeof content === "function" ? content(allow, () => dialog.close())
        : content, failure,
      el("div", { class: "buttons" }, send,
        cancel && button(cancel, () => dialog.close(), { kind: "quiet" })));
    const before = document.activeElement;
    const dialog = el("dialog", { "aria-label": title, onclose: () => {
      dialog.remove();
      before?.focus?.();
      resolve(result);
    } }, form);
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks before something that cannot be undone. True if it was confirmed and done. */
export async function confirmDanger(title, text, confirm, action) {
  return (await openDialog({ title, text, confirm, kind: "danger", action })) !== null;
}

/** Asks to type a name before something that concerns everybody, such as a deployment. */
export function confirmByName(title, text, name, confirm, action) {
  return openDialog({ title, text, content: [nameInput(name)], confirm, kind: "danger", action });
}

/** An input in which a name must be typed, as a consent. */
export function nameInput(name) {
  const input = el("input", {
    type: "text", autocomplete: "off", spellcheck: "false", required: true,
    "aria-label": `Type ${name} to confirm`,
    oninput: () => input.setCustomValidity(input.value === name ? "" : `Type ${name}`),
  });
  input.setCustomValidity(`Type ${name}`);
  return el("p", {}, "Type ", el("code", {}, name), " to confirm: ", input);
}
