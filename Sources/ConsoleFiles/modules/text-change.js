// The difference of two texts, of which undo keeps many.

/** `{at, before, after}`: from a place on, `before` was replaced by `after`. */
export function textChange(before, after) {
  const most = Math.min(before.length, after.length);
  let at = 0;
  while (at < most && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  let end = 0;
  while (end < most - at && before.charCodeAt(before.length - 1 - end)
    === after.charCodeAt(after.length - 1 - end)) end += 1;
  return {
    at, before: before.slice(at, before.length - end), after: after.slice(at, after.length - end),
  };
}

/** The text before a change of it; null if the text is not what the change made. */
export const textBefore = (text, { at, before, after }) =>
  text.startsWith(after, at) ? text.slice(0, at) + before + text.slice(at + after.length) : null;

/** The text after a change of it; null if the text is not what was changed. */
export const textAfter = (text, { at, before, after }) =>
  textBefore(text, { at, before: after, after: before });
