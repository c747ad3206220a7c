import { el, fill } from "./dom.js";
import { allPages } from "./pages.js";

/** Opens the list of all pages, filtered by what is typed. */
export function openGoTo(shell) {
  if (document.querySelector("dialog.go-to")) return;
  const pages = allPages(shell.environments.map(({ name }) => name));
  let found = [];
  let chosen = 0;
  const options = el("ul", { id: "go-to-pages", role: "listbox", "aria-label": "Pages" });
  const input = el("input", {
    type: "text", role: "combobox", "aria-controls": "go-to-pages", "aria-expanded": "true",
    "aria-autocomplete": "list", "aria-label": "Go to", placeholder: "Go to a page",
    autocomplete: "off", oninput: () => { chosen = 0; draw(); },
    onkeydown: (event) => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step && found.length > 0) {
        event.preventDefault();
        chosen = (chosen + step + found.length) % found.length;
        draw();
      } else if (event.key === "Enter" && found[chosen]) {
        event.preventDefault();
        location.assign(found[chosen].address);
      }
    },
  });
  const dialog = el("dialog", { class: "go-to", "aria-label": "Go to a page", onclose: () =>
    dialog.remove(), onclick: (event) => { if (event.target === dialog) dialog.close(); } },
    input, options);

  function draw() {
    const words = input.value.toLowerCase().split(/\s+/);
    found = pages.filter(({ title, of }) =>
      words.every((word) => `${of} ${title}`.toLowerCase().includes(word))).slice(0, 12);
    input.setAttribute("aria-activedescendant", found.length > 0 ? `go-to-${chosen}` : "");
    fill(options, found.map((page, index) => el("li", {
      id: `go-to-${index}`, role: "option", "aria-selected": String(index === chosen),
      onclick: () => location.assign(page.address),
    }, page.title, page.of && el("small", {}, page.of))));
  }

  draw();
  document.body.append(dialog);
  dialog.showModal();
}
