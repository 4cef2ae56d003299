// The rounds of a match: a list, a slider, and stepping.

import { byId, element } from "./dom.js";
import { plain } from "./moves.js";

// A round that changes a role's value by this much is marked.
const BREAK = 25;

export class MatchHistory {
  constructor(goTo) {
    this.goTo = goTo;
    this.round = 0;
    this.rounds = 0;
    byId("first").addEventListener("click", () => goTo(0));
    byId("back").addEventListener("click", () => this.step(-1));
    byId("forth").addEventListener("click", () => this.step(1));
    byId("last").addEventListener("click", () => goTo(this.rounds));
    byId("run").addEventListener("click", () => (this.timer ? this.stop() : this.run()));
    byId("round").addEventListener("input", (event) => goTo(Number(event.target.value)));
    document.addEventListener("keydown", (event) => {
      if (event.target.closest("input, select, textarea, dialog, #editor")) return;
      const action = { ArrowLeft: () => this.step(-1), ArrowRight: () => this.step(1), Home: () => goTo(0), End: () => goTo(this.rounds) }[event.key];
      if (action) {
        event.preventDefault();
        action();
      }
    });
  }

  step(by) {
    this.goTo(Math.max(0, Math.min(this.rounds, this.round + by)));
  }

  run() {
    if (this.round === this.rounds) this.goTo(0);
    const tick = () => {
      if (this.round >= this.rounds) return this.stop();
      this.step(1);
      this.timer = setTimeout(tick, 1000 / Number(byId("speed").value));
    };
    this.timer = setTimeout(tick, 1000 / Number(byId("speed").value));
    byId("run").setAttribute("aria-pressed", "true");
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = undefined;
    byId("run").setAttribute("aria-pressed", "false");
  }

  at(round, rounds) {
    this.round = round;
    this.rounds = rounds;
    const slider = byId("round");
    slider.max = rounds;
    slider.value = round;
    byId("round-of").textContent = `${round} of ${rounds}`;
    this.highlight();
  }

  // Shows the rounds of a match, of which those before `from` are shown already.
  show({ moves, values }, from = 0) {
    const list = byId("history");
    // Whether the values change much in the round before depends on the first changed value.
    const kept = Math.max(0, from - 1);
    while (list.children.length > kept) list.lastElementChild.remove();
    const rows = moves.slice(kept).map((round, index) => {
      const number = kept + index;
      const [before, after] = [values[number] ?? [], values[number + 1] ?? []];
      const swing = before.some((value, role) => value !== null && after[role] != null && Math.abs(after[role] - value) >= BREAK);
      const text = round.map(plain).join(" | ");
      return element("li", { class: swing ? "break" : "", title: swing ? "the values change much here" : undefined },
        element("button", { type: "button", class: "link", onclick: () => this.goTo(number + 1) }, text));
    });
    rows.forEach((row) => list.append(row));
    this.highlight();
  }

  highlight() {
    this.shown?.removeAttribute("data-shown");
    this.shown = byId("history").children[this.round - 1];
    this.shown?.setAttribute("data-shown", "");
  }
}
