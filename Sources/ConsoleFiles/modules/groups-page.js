import { openCreatePage } from "./create-frame.js";
import { confirmDanger } from "./dialog.js";
import { button, el, fill } from "./dom.js";
import { icon } from "./icons.js";
import { illegible } from "./illegible.js";
import { devicesOf, freshName, groupsOf, rolesOf } from "./outline.js";

const single = { groups: "group", devices: "device" };

await openCreatePage("groups", draw);

/** Groups by device categories: a switch for each pair, which is a role. */
function draw(page) {
  const { draft, node } = page;
  if (!draft.isLegible) return fill(node, illegible(draft));
  const [groups, devices] = [groupsOf(draft.outline), devicesOf(draft.outline)];
  const roles = new Set(rolesOf(draft.outline).map(({ name }) => name));
  fill(node,
    el("p", {}, "A user belongs to a group and signs in on a device of some category. The pair is "
      + "the user's role: who has no role there cannot sign in there."),
    page.forms(el("div", { class: "table" }, el("table", { class: "roles" },
      el("caption", { class: "unseen" }, "Roles"),
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "group"),
        devices.map((device, index) =>
          el("th", { scope: "col" }, named(page, "devices", device, index))))),
      el("tbody", {}, groups.map((group, index) => el("tr", {},
        el("th", { scope: "row" }, named(page, "groups", group, index)),
        devices.map((device) => el("td", { dataset: { title: device.attributes.name } },
          roleSwitch(page, group.attributes.name, device.attributes.name, roles)))))))),
    el("div", { class: "buttons" },
      button([icon("add"), "New group"], () => add(page, "groups", groups)),
      button([icon("add"), "New device category"], () => add(page, "devices", devices)))));
}

function add(page, section, present) {
  const name = freshName(present, single[section]);
  return page.edit([{ do: "add", path: [[section], [single[section], "name", name]] }]);
}

/** The name of a group or device category, to change or to remove. */
function named(page, section, { attributes: { name } }, index) {
  const path = [[section], [single[section], "name", name]];
  const word = section === "groups" ? "group" : "device category";
  return el("span", { class: "toolbar" },
    el("input", {
      type: "text", value: name, size: 12, spellcheck: "false", class: "name",
      "aria-label": `Name of the ${word} ${name}`, dataset: { key: `${section} ${index}` },
      onchange: (event) => {
        const to = event.target.value.trim();
        if (to && to !== name) page.edit([{ do: "rename", path, to }]);
      },
    }),
    button(icon("close"), () => removeWithRoles(page, section, name, path), {
      kind: "quiet icon-only", "aria-label": `Remove the ${word} ${name}`,
    }));
}

/** Asks once the answers are there: a role may have been added just before. */
async function removeWithRoles(page, section, name, path) {
  await page.draft.settled();
  const roles = rolesOf(page.draft.outline).filter((role) => role[single[section]] === name);
  return confirmDanger(`Remove ${name}?`, roles.length === 0
    ? "No role has it." : `The roles ${roles.map((role) => role.name).join(", ")} are removed too, `
      + "with all their rights.", "Remove", () => page.draft.edit([
    ...roles.map((role) => ({ do: "removeRole", role: role.name })), { do: "remove", path },
  ]));
}

function roleSwitch(page, group, device, roles) {
  const name = `${group}-${device}`;
  return el("label", { class: "inline" }, el("input", {
    type: "checkbox", role: "switch", checked: roles.has(name), dataset: { key: `role ${name}` },
    onchange: async (event) => {
      const { target } = event;
      if (target.checked) {
        await page.edit([{ do: "add", path: [["roles"], ["role", "group", group, "device",
          device]] }]);
      } else if (!await confirmDanger(`Remove the role ${name}?`,
        "Its rights are removed with it. Users with it can no longer sign in.", "Remove",
        () => page.draft.edit([{ do: "removeRole", role: name }]))) {
        target.checked = true;
      }
    },
  }), name);
}
