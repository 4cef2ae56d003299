// Who plays which role, and the clocks.

import { element, replaceContent } from "./dom.js";

export class Players {
  constructor(form, composer, { start, change }) {
    this.form = form;
    this.composer = composer;
    this.start = start;
    this.change = change;
    this.seconds = 1;
    this.startSeconds = 0;
    this.current = element("p", { id: "playing" });
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.begin();
    });
  }

  show(roles) {
    this.roles = roles;
    // A person plays the first role against agents, or a puzzle alone.
    this.kinds = roles.map((_, role) => ({ kind: role === 0 ? "person" : "agent", agent: "uct", address: "http://127.0.0.1:9147" }));
    this.render();
  }

  // Names the players of the match, which the form is to replace if they differ.
  playing(names) {
    const known = this.roles.map((role, number) => `${role}: ${names[number] ?? "?"}`);
    this.current.textContent = `In this match: ${known.join(", ")}`;
  }

  // The match continues, with the players in other roles.
  swap() {
    this.kinds = [...this.kinds.slice(1), this.kinds[0]];
    this.render();
    this.change({ players: this.chosen(), seconds: this.seconds });
  }

  begin() {
    this.start({ players: this.chosen(), seconds: this.seconds, start_seconds: this.startSeconds });
  }

  chosen() {
    return this.kinds.map(({ kind, agent, address }) => ({ person: { kind }, agent: { kind, agent }, network: { kind, address } })[kind]);
  }

  render() {
    const rows = this.roles.map((role, number) => {
      const own = this.kinds[number];
      const text = (key, label, hidden) => element("input", {
        value: own[key], "aria-label": `${label} of ${role}`, hidden, list: key === "agent" ? "known-agents" : undefined,
        onchange: (event) => (own[key] = event.target.value),
      });
      const agent = text("agent", "Agent", own.kind !== "agent");
      const address = text("address", "Address", own.kind !== "network");
      const compose = element("button", {
        type: "button", hidden: own.kind !== "agent",
        onclick: () => this.composer.open(own.agent, (chosen) => { own.agent = chosen; this.render(); }),
      }, "Compose…");
      const who = element("select", {
        "aria-label": `Player of ${role}`,
        onchange: (event) => { own.kind = event.target.value; this.render(); },
      }, ...["person", "agent", "network"].map((kind) => element("option", { value: kind, selected: kind === own.kind }, kind)));
      return element("div", { class: "player" }, element("b", {}, role), who, agent, address, compose);
    });
    const number = (label, value, apply) =>
      element("label", {}, label, element("input", {
        type: "number", min: "0", step: "0.1", value, onchange: (event) => apply(Number(event.target.value)),
      }));
    replaceContent(
      this.form,
      this.current,
      ...rows,
      number("Seconds per move ", this.seconds, (value) => (this.seconds = value)),
      number("Seconds to prepare ", this.startSeconds, (value) => (this.startSeconds = value)),
      element("button", { id: "start" }, "New match"),
      element("button", { type: "button", id: "swap", onclick: () => this.swap(), hidden: this.roles.length < 2 }, "Swap sides"),
      element("datalist", { id: "known-agents" }, ...["champion", "uct", "uct+mast", "uct+closed", "random"].map((value) => element("option", { value }))),
    );
  }
}
