// Who plays which role, and the clocks.

import { element, replaceContent } from "./dom.js";

export class Players {
  constructor(form, composer, start) {
    this.form = form;
    this.composer = composer;
    this.start = start;
    this.seconds = 1;
    this.startSeconds = 0;
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  show(roles) {
    this.roles = roles;
    // A person plays the first role against an agent, and a puzzle alone.
    this.kinds = roles.map((_, role) => ({ person: role === 0, agent: "uct" }));
    this.render();
  }

  swap() {
    this.kinds = [...this.kinds.slice(1), this.kinds[0]];
    this.render();
    this.begin();
  }

  begin() {
    this.start({ seats: this.seats(), seconds: this.seconds, start_seconds: this.startSeconds });
  }

  seats() {
    return this.kinds.map(({ person, agent }) => (person ? { kind: "person" } : { kind: "agent", agent }));
  }

  render() {
    const rows = this.roles.map((role, number) => {
      const kind = this.kinds[number];
      const agent = element("input", {
        value: kind.agent, "aria-label": `Agent of ${role}`, hidden: kind.person, list: "known-agents",
        onchange: (event) => (kind.agent = event.target.value),
      });
      const compose = element("button", {
        type: "button", hidden: kind.person,
        onclick: () => this.composer.open(kind.agent, (text) => { kind.agent = text; this.render(); }),
      }, "Compose…");
      const who = element("select", {
        "aria-label": `Player of ${role}`,
        onchange: (event) => { kind.person = event.target.value === "person"; this.render(); },
      }, option("person", kind.person), option("agent", !kind.person));
      return element("div", { class: "seat" }, element("b", {}, role), who, agent, compose);
    });
    const number = (label, value, apply) =>
      element("label", {}, label, element("input", {
        type: "number", min: "0", step: "0.1", value, onchange: (event) => apply(Number(event.target.value)),
      }));
    replaceContent(
      this.form,
      ...rows,
      number("Seconds per move ", this.seconds, (value) => (this.seconds = value)),
      number("Seconds to prepare ", this.startSeconds, (value) => (this.startSeconds = value)),
      element("button", { id: "start" }, "New match"),
      element("button", { type: "button", id: "swap", onclick: () => this.swap(), hidden: this.roles.length < 2 }, "Swap sides"),
      element("datalist", { id: "known-agents" }, ...["champion", "uct", "uct+mast", "uct+closed", "random"].map((value) => element("option", { value }))),
    );
  }
}

function option(value, selected) {
  return element("option", { value, selected }, value);
}
