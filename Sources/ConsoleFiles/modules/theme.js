// Runs before the page is drawn, so that a chosen theme does not flash.
const theme = localStorage.getItem("theme");
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;

// Chromium reports a cross-fade that begins after the page is shown, and is left out, as an error.
addEventListener("unhandledrejection", (event) => {
  const { name, message } = event.reason ?? {};
  if (name !== "InvalidStateError" || !message.startsWith("Transition was aborted")) return;
  event.preventDefault();
  event.stopImmediatePropagation();
});
