// Pictures of the conflict modes: two change a record of two fields, and the record afterwards.
import { svg } from "./dom.js";

// The letters in the two fields: what `a` changed, what `b` changed then, and the record.
const pictures = {
  MERGE: ["a changes a field, and b another one: the record has both changes", "a ", " b", "ab"],
  MANUAL: ["a and b change a field: the record has both values until somebody decides",
    "a ", "b ", "? "],
  OVERWRITE: ["a and then b change a field: the record has the value of b", "a ", "b ", "b "],
  DISCARD: ["a and then b change a field: the record has the value of a", "a ", "b ", "a "],
};
const [WIDTH, HEIGHT] = [44, 24];

/** The picture of a mode. Its name says what it shows. */
export function modePicture(mode) {
  const [name, ...records] = pictures[mode];
  return svg("svg", {
    class: "mode-picture", viewBox: "0 0 216 52", width: 216, height: 52, role: "img",
    "aria-label": name,
  },
    records.map((letters, index) => [...letters].map((letter, row) =>
      cell(letter, 1 + index * 84, 1 + row * HEIGHT))),
    sign("+", 65), sign("→", 149));
}

function cell(letter, x, y) {
  const kind = { a: "of-a", b: "of-b", "?": "of-both" }[letter] ?? "untouched";
  const middle = { x: x + WIDTH / 2, y: y + HEIGHT / 2 };
  return svg("g", { class: kind },
    svg("rect", { x, y, width: WIDTH, height: HEIGHT }),
    svg("text", middle, letter === "?" ? "a b?" : letter.trim()));
}

const sign = (text, x) => svg("text", { class: "sign", x, y: 25 }, text);
