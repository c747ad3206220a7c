import { el } from "./dom.js";

/** Saves contents as a file of the browser's downloads. */
export function saveFile(blob, name) {
  const address = URL.createObjectURL(blob);
  const link = el("a", { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
