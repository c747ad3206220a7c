/** The conflict modes, each with what it does. */
export const conflictModes = [
  ["MERGE", "Changes of different fields are joined. If both changed the same field, both versions "
    + "are kept, and somebody decides."],
  ["MANUAL", "Both versions are kept, and somebody decides, whatever was changed."],
  ["OVERWRITE", "The last change wins. The history keeps the other one."],
  ["DISCARD", "The first change wins. The history keeps the other one."],
];

/** A definition without models, with the group, device category and role that most begin with. */
export function emptyDefinition(name, mode) {
  const own = mode === "MERGE"
    ? "\n             xmlns:w=\"urn:waggle:definition\"" : "";
  const attribute = mode === "MERGE" ? "w:conflictMode" : "conflictMode";
  return `<?xml version="1.0" encoding="UTF-8"?>
<application xmlns="http://schema.mobeelizer.com/application"${own}
             application="${name}" vendor="own" ${attribute}="${mode}">
  <devices>
    <device name="mobile"/>
  </devices>
  <groups>
    <group name="users"/>
  </groups>
  <roles>
    <role group="users" device="mobile"/>
  </roles>
  <models>
  </models>
</application>
`;
}
