// One of the two phones: signing in, records, unsent changes and conflicts, as an app shows them.
import { button, el, field, fill, freshID, select } from "./dom.js";
import { startingValue } from "./definition.js";
import { isSame } from "./exact.js";
import { longSelect } from "./long-select.js";
import { deployedLine } from "./pages.js";
import { saveFile } from "./save-file.js";
import { errorText } from "./states.js";
import { fileInput, offers, recordTitle, valueInput, valueNode, valueText } from "./values.js";

export class PhoneView {
  /** `followers` is called after this phone has sent something. */
  constructor({ phone, name, kind, definition, login, followers }) {
    Object.assign(this, { phone, name, kind, definition, login, followers });
    this.model = definition.models[0]?.name;
    this.editing = null;
    this.status = el("p", { class: "phone-status", role: "status" });
    this.failure = el("div", { role: "alert" });
    this.body = el("div", { class: "phone-body" });
    this.heading = el("h2", { id: freshID("phone") });
    this.node = el("section", { class: `phone ${kind}`, "aria-labelledby": this.heading.id },
      this.heading, this.status, this.failure, this.body);
    phone.addEventListener("change", () => this.draw());
    this.draw();
  }

  /** Runs an action of the user, and shows its error. */
  async act(action) {
    fill(this.failure);
    try {
      await action();
    } catch (error) {
      fill(this.failure, errorText(error));
    }
    this.draw();
  }

  /** Syncs if somebody is signed in and the phone is online. */
  async follow() {
    if (this.phone.session && this.phone.isOnline) await this.act(() => this.phone.sync());
  }

  async sync() {
    await this.act(() => this.phone.sync());
    this.followers(this);
  }

  /** After a change of a record: an online phone sends it at once. */
  async changed() {
    this.editing = null;
    if (this.phone.isOnline) await this.sync();
    else this.draw();
  }

  // MARK: Drawing

  draw() {
    const { phone } = this;
    this.node.classList.toggle("offline", !phone.isOnline);
    fill(this.heading, phone.session ? `${this.name}: ${phone.session.login}` : this.name);
    fill(this.status, this.statusText());
    if (!phone.session) {
      this.list = null;
      if (!this.form) fill(this.body, (this.form = this.signInForm()));
      return;
    }
    this.form = null;
    if (!this.list) {
      this.list = el("div", { class: "phone-records" });
      this.drawn = null;
      fill(this.body, this.makeBar(), this.list);
    }
    this.offline.setAttribute("aria-checked", String(!phone.isOnline));
    this.syncing.disabled = !phone.isOnline;
    if (!this.editing?.node.isConnected) this.drawRecords();
  }

  statusText() {
    const { phone } = this;
    const waiting = phone.waiting === 1 ? "1 change waits" : `${phone.waiting} changes wait`;
    const place = phone.isOnline ? "Online" : "Offline";
    const kept = phone.isStored ? "" : "; too much to be kept when this page is left";
    if (!phone.session) return `Nobody is signed in${phone.waiting ? `; ${waiting}` : ""}`;
    return `${place}, ${phone.waiting ? waiting : "nothing waits"}${kept}`;
  }

  /** The bar stays as it is drawn first, so that a button is never replaced under a pointer. */
  makeBar() {
    const { phone } = this;
    this.offline = el("button", {
      type: "button", role: "switch", class: "switch",
      onclick: () => this.act(async () => {
        await phone.setOnline(!phone.isOnline);
        if (phone.isOnline) this.followers(this);
      }),
    }, "Offline");
    this.syncing = button("Sync", () => this.sync());
    this.adding = button("Add record", () => this.edit(null), { kind: "primary" });
    return el("div", { class: "buttons" }, this.offline, this.syncing,
      this.definition.models.length > 1 && this.modelSelect(), this.adding,
      button("Sign out", () => this.act(() => phone.signOut()), { kind: "quiet" }));
  }

  modelSelect() {
    return longSelect(() => this.definition.models.map((model) => model.name), this.model, {
      "aria-label": "Model",
      onchange: (event) => {
        this.model = event.target.value;
        this.draw();
      },
    });
  }

  signInForm() {
    const { categories } = this.definition;
    const login = el("input", {
      type: "text", autocomplete: "off", spellcheck: "false", required: true, value: this.login,
    });
    const password = el("input", {
      type: "password", autocomplete: "off", required: true, value: this.suggested ?? "" });
    this.password = password;
    // One in which somebody has a role: others cannot sign in.
    const category = select(categories, this.definition.roles[0]?.category ?? categories[0]);
    return el("form", { onsubmit: (event) => {
      event.preventDefault();
      this.act(() => this.phone.signIn(login.value, password.value, category.value));
    } },
      field("Login", login), field("Password", password), field("Device category", category),
      el("div", { class: "buttons" },
        el("button", { type: "submit", class: "primary" }, "Sign in")));
  }

  /** The password of the user for whom the phone is. A typed one stays. */
  suggest(password) {
    this.suggested = password;
    if (this.form && this.password.value === "") this.password.value = password;
  }

  drawRecords() {
    const model = this.definition.models.find((each) => each.name === this.model);
    const records = this.phone.records().filter((record) => record.model === this.model);
    const drawn = JSON.stringify([this.model, records, this.phone.refused]);
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    const refused = this.phone.refused.map((refusal) => this.refusal(refusal));
    fill(this.list, refused, records.length === 0
      ? el("p", { class: "faint" }, `No ${this.model} is on this phone.`)
      : el("ul", { class: "records" }, records.map((record) => this.row(record, model))));
  }

  refusal({ change, causes }) {
    return el("div", { class: "refused", role: "alert" },
      el("p", {}, el("strong", {}, `■ Refused: ${change.action}.`), " ",
        causes.map((cause) => cause.message).join("; "), ". ",
        causes[0]?.line && el("a", { href: deployedLine(this.phone.environment, causes[0].line) },
          `application.xml, line ${causes[0].line}`)),
      button("Dismiss", () => this.phone.dismiss(change.id), { kind: "quiet" }));
  }

  row(record, model) {
    const title = recordTitle(record, model);
    return el("li", {
      class: record.conflicted ? "conflicted" : record.waiting ? "waiting" : null,
      "aria-label": title,
    },
      el("dl", {}, model.fields.map((each) => [
        el("dt", {}, each.name), el("dd", {}, this.value(shownValue(record, each), each)),
      ])),
      el("p", { class: "row-state" }, stateText(record)),
      record.conflicted && this.conflict(record, model),
      el("div", { class: "buttons" },
        button("Edit", () => this.edit(record), { "aria-label": `Edit ${title}` }),
        button("Delete", () => this.act(async () => {
          this.phone.delete(record.guid);
          await this.changed();
        }), { kind: "quiet", "aria-label": `Delete ${title}` })));
  }

  /** A value as a node; a file can be saved, as far as its contents have been sent. */
  value(value, { type }) {
    if (type !== "FILE" || !value) return valueNode(value, type);
    return button(value.filename, () => this.act(async () =>
      saveFile(await this.phone.readFile(value.guid), value.filename)),
    { kind: "quiet", "aria-label": `Save ${value.filename}` });
  }

  /** The sides of the conflicts of a record, of which the user of the phone may choose one. */
  conflict(record, model) {
    const sides = (record.conflicts ?? []).map((conflict) => [
      this.side("mine", conflict.mine, record, () => ({ ...conflict.mine.fields })),
      this.side("theirs", conflict.theirs, record, () => ({})),
    ]);
    return el("div", { class: "sides" }, el("p", {}, `In conflict in mode ${model.mode}:`), sides);
  }

  side(kind, side, record, fields) {
    const text = sideText(side, kind);
    return el("p", { class: kind }, text, " ",
      button("Take this", () => this.act(async () => {
        this.phone.resolve(record.guid, fields(), kind === "mine" && side.deleted);
        await this.changed();
      }), { "aria-label": `Take ${text}` }));
  }

  /** Opens the form of a record, or of a new one. A form that is open keeps what was typed. */
  edit(record) {
    if (this.editing?.node.isConnected) return this.editing.first?.focus();
    const model = this.definition.models.find((each) => each.name === this.model);
    const controls = model.fields.map((each) => {
      const value = record ? shownValue(record, each) : startingValue(each);
      return { each, value, ...this.control(each, value) };
    });
    const close = () => {
      this.editing = null;
      node.remove();
      this.draw();
      this.adding.focus();
    };
    const node = el("form", {
      class: "record-form", "aria-label": record ? "Edit record" : "New record",
      onsubmit: (event) => {
        event.preventDefault();
        this.act(() => this.save(record, model, controls));
      },
      onkeydown: (event) => { if (event.key === "Escape") close(); },
    }, controls.map((each) => each.node), el("div", { class: "buttons" },
      el("button", { type: "submit", class: "primary" }, "Save"),
      button("Cancel", close, { kind: "quiet" })));
    this.editing = { node, first: controls[0]?.control };
    this.list.prepend(node);
    return this.editing.first?.focus();
  }

  /** The control of a field, and the node that it is in. */
  control(each, value) {
    if (each.type !== "FILE") {
      const control = valueInput(each, value, {}, each.target && this.offered(each.target));
      return { control, node: field(each.name, control) };
    }
    const control = fileInput(value);
    const node = field(each.name, control, { help: value ? `Now: ${value.filename}` : null });
    if (value && !each.isRequired) {
      control.after(el("label", {}, el("input", { type: "checkbox", onchange: ({ target }) => {
        control.isNull = target.checked;
      } }), "no file"));
    }
    return { control, node };
  }

  /** The records of a model that the phone has. */
  offered(name) {
    const model = this.definition.models.find((each) => each.name === name);
    const records = this.phone.records().filter((record) => record.model === name);
    return model ? offers(records, model) : null;
  }

  async save(record, model, controls) {
    const fields = {};
    let isGood = true;
    for (const { each, value, control, node } of controls) {
      try {
        const typed = control.read();
        node.refuse(null);
        if (!isSame(typed, value ?? null)) fields[each.name] = typed;
      } catch (error) {
        node.refuse(error.message);
        isGood = false;
      }
    }
    const { editing } = this;
    if (!isGood || editing.isSaving) return;
    editing.isSaving = true;
    try {
      for (const { control } of controls) {
        const chosen = control.chosen?.();
        if (chosen) await this.phone.addFile(chosen.guid, chosen.file);
      }
    } finally {
      editing.isSaving = false;
    }
    // The form may have been closed while the files were read.
    if (this.editing !== editing) return;
    if (!record) this.phone.create(model.name, fields);
    else if (Object.keys(fields).length > 0) this.phone.update(record.guid, fields);
    this.editing.node.remove();
    await this.changed();
  }
}

/** A value of a record; of one that was not sent, what the server will give it. */
function shownValue(record, each) {
  const value = record.fields[each.name];
  const isNew = value === undefined && record.revision === null;
  return isNew ? startingValue(each) ?? null : value;
}

function stateText(record) {
  const waits = record.waiting ? "not sent yet" : "";
  const conflict = record.conflicted ? "▲ in conflict" : "";
  return [conflict, waits].filter(Boolean).join(", ") || "in sync";
}

/** `score 5 by b`, or that somebody deleted the record. */
export function sideText(side, kind) {
  const by = side.login ? ` by ${side.login}` : "";
  if (side.deleted) return `${kind}: deleted${by}`;
  const values = Object.entries(side.fields ?? {}).map(([name, value]) =>
    `${name} ${valueText(value)}`).join(", ");
  return `${kind}: ${values || "nothing to see"}${by}`;
}
