// Numbers as they were sent. JavaScript rounds integers beyond 2^53; here they stay exact.

/**
 * Reads JSON. An integer that JavaScript would round becomes a `rawJSON` object. Only such integers
 * have 16 digits, and looking at every value takes long.
 */
export const parseExactly = (text) =>
  (/\d{16}/.test(text) ? JSON.parse(text, keepExact) : JSON.parse(text));

function keepExact(key, value, context) {
  const isRounded = typeof value === "number" && !Number.isSafeInteger(value)
    && /^-?\d+$/.test(context?.source ?? "");
  return isRounded ? JSON.rawJSON(context.source) : value;
}

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
