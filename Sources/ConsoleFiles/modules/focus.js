/** The element in a node that has the key, or else the name or the text, that another one had. */
function find(node, { key, label, text, kind }) {
  if (key) return node.querySelector(`[data-key="${CSS.escape(key)}"]`);
  if (label) return node.querySelector(`${kind}[aria-label="${CSS.escape(label)}"]`);
  return text && [...node.querySelectorAll(kind)].find((each) => each.textContent === text);
}

/**
 * Draws, and gives the focus and the selection back to what had them: the element with the same
 * `data-key`, or else the same `aria-label` or text.
 */
export function keepingFocus(node, draw) {
  const active = node.contains(document.activeElement) ? document.activeElement : null;
  const place = active && {
    key: active.closest("[data-key]")?.dataset.key, label: active.getAttribute("aria-label"),
    text: active.matches("a, button, summary") && active.textContent, kind: active.tagName,
  };
  const isText = ["INPUT", "TEXTAREA"].includes(active?.tagName)
    && !["checkbox", "radio", "file"].includes(active.type);
  const typed = isText ? [active.value, active.selectionStart, active.selectionEnd] : null;
  draw();
  if (!active || document.activeElement === active) return;
  const next = active.isConnected ? active : find(node, place);
  next?.focus({ preventScroll: true });
  if (!next || next === active || typed === null) return;
  next.value = typed[0];
  // Numbers and mails have no selection.
  if (typed[1] !== null && "setSelectionRange" in next) next.setSelectionRange(typed[1], typed[2]);
}
