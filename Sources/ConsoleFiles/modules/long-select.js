import { el, fill, select } from "./dom.js";

/**
 * A choice of what may be very many: it has the chosen option, and the others once somebody is
 * about to choose. `options` returns them as `select` takes them. `choose(value)` of the control
 * chooses one of them.
 */
export function longSelect(options, chosen, attributes = {}) {
  const all = () => options().map((option) => (Array.isArray(option) ? option : [option, option]));
  const control = select([], chosen, attributes);
  control.choose = (value) => {
    if (control.value === value && control.options.length > 0) return;
    const found = all();
    const shown = found.find(([each]) => each === value) ?? found[0];
    if (shown) fill(control, el("option", { value: shown[0], selected: true }, shown[1]));
  };
  const complete = () => {
    const found = all();
    if (control.options.length >= found.length) return;
    const { value } = control;
    fill(control, [...select(found, value).children]);
    control.value = value;
  };
  for (const event of ["pointerdown", "focus"]) control.addEventListener(event, complete);
  control.choose(chosen);
  return control;
}
