// Drafts and the newest version, from which a design begins.
import { at, get, list } from "./api.js";

/** The drafts of the server, without their texts. */
export const drafts = (options) => get("drafts", options);

/** The text of the newest version; null without one. */
export async function newestVersion() {
  const [version] = await list("versions", 1);
  if (!version) return null;
  const xml = await get(at`versions/${version.number}/source`);
  return { version, xml };
}
