// Numbers as they were sent. JavaScript rounds integers beyond 2^53; here they stay exact.

/** Reads JSON. An integer that JavaScript would round becomes a `rawJSON` object. */
export const parseExactly = (text) => JSON.parse(text, (key, value, context) => {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value)
    && /^-?\d+$/.test(context?.source ?? "");
  return isRounded ? JSON.rawJSON(context.source) : value;
});

const isRaw = (value) => JSON.isRawJSON?.(value) ?? false;

/** The text of a number. */
export const numberText = (value) => (isRaw(value) ? value.rawJSON : String(value));

/** The integer that a text has, exactly; null if it has none. */
export function integer(text) {
  if (!/^-?\d+$/.test(text)) return null;
  const value = Number(text);
  return Number.isSafeInteger(value) || !JSON.rawJSON
    ? value : JSON.rawJSON(BigInt(text).toString());
}

/** Whether two values of fields are the same. */
export const isSame = (one, other) => JSON.stringify(one) === JSON.stringify(other);
