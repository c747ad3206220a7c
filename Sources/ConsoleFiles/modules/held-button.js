// While a button of the mouse is held, what is under it must stay: a click belongs to the element
// that it began and ended on. To press a button leaves the field before it, which may change the
// page between the two.

let isHeld = false;
let waiting = [];

function release() {
  // The click comes right after the release.
  setTimeout(() => {
    isHeld = false;
    const draws = waiting;
    waiting = [];
    for (const draw of draws) draw();
  });
}

addEventListener("pointerdown", () => { isHeld = true; }, true);
for (const kind of ["pointerup", "pointercancel", "dragend"]) addEventListener(kind, release, true);

/** Calls a function that draws: now or, if a button is held, once it is released. */
export function whenReleased(draw) {
  if (isHeld) waiting.push(draw);
  else draw();
}
