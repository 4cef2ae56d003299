// What searches of the state that is shown have found.

import { element, replaceContent } from "./dom.js";
import { plain } from "./moves.js";
import { compact } from "./numbers.js";

// How long a hint searches, in milliseconds.
const GLANCE = 1000;

export class Analysis {
  constructor(form, parent, tree, board, send, goOn) {
    this.parent = parent;
    this.tree = tree;
    this.board = board;
    this.send = send;
    this.goOn = goOn;
    this.known = new Map();
    this.on = false;
    // Whether the server has sent anything of the analysis.
    this.begun = false;
    this.render(form);
  }

  render(form) {
    this.first = element("input", { value: "uct+closed", "aria-label": "Agent that analyses", list: "known-agents" });
    this.second = element("input", { value: "", placeholder: "a second agent", "aria-label": "Second agent", list: "known-agents" });
    this.button = element("button", { id: "analyse", "aria-pressed": "false" }, "Analyse");
    replaceContent(form, this.first, this.second, this.button);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.toggle(!this.on);
    });
  }

  // Analyses for a second, unless an analysis is already running; what it finds stays visible.
  glance() {
    if (this.on) return;
    this.toggle(true);
    this.glancing = setTimeout(() => this.stop(), GLANCE);
  }

  toggle(on) {
    clearTimeout(this.glancing);
    if (!on) {
      this.stop();
      this.board.draw([]);
      return;
    }
    this.set(true);
    this.begun = false;
    this.known.clear();
    const agents = [this.first.value, this.second.value].filter((text) => text.trim());
    this.send({ do: "analyse", agents, role: null });
    this.tree.choose(agents);
  }

  // A request failed: if nothing has come of the analysis, it may be the one that begins it.
  failed() {
    if (this.on && !this.begun) this.toggle(false);
  }

  stop() {
    this.set(false);
    this.tree.end();
    this.send({ do: "stop_analysis" });
  }

  set(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", on);
    this.button.textContent = on ? "Stop" : "Analyse";
  }

  // Another state is shown, or another game was opened.
  moveTo(round) {
    if (round === this.round) return;
    this.round = round;
    this.known.clear();
    replaceContent(this.parent);
    if (this.on && this.begun) this.tree.begin();
    else this.tree.close();
    this.board.draw([]);
  }

  // The game with its analysis was replaced.
  forget() {
    this.round = undefined;
    if (this.on) this.toggle(false);
    replaceContent(this.parent);
  }

  show(event, roles) {
    if (!this.on) return;
    if (!this.begun) {
      this.begun = true;
      this.tree.begin();
    }
    if (event.round !== this.round) return;
    this.known.set(event.index, event);
    const columns = [...this.known].sort(([one], [other]) => one - other).map(([, known]) => this.column(known, roles));
    replaceContent(this.parent, ...columns);
    const [first] = [...this.known.values()];
    this.board.draw(first.moves.slice(0, 8).map((move, place) => ({ ...move, best: place === 0 })));
  }

  column(event, roles) {
    const rows = event.moves.slice(0, 20).map((move) =>
      element("tr", { class: move.proven ? "proven" : "" },
        element("td", {}, element("button", { type: "button", class: "link", onclick: () => this.goOn(event.role, move.index) }, plain(move.text))),
        element("td", {}, `${move.value.toFixed(1)}${move.proven ? " proven" : ""}`),
        element("td", {}, element("meter", { min: 0, max: 1, value: move.share, title: `${(100 * move.share).toFixed(1)} %` })),
        element("td", {}, compact(move.visits))));
    const facts = [`${compact(event.simulations)} simulations`, `${compact(event.rate)}/s`, `${compact(event.nodes)} nodes`];
    if (event.exhausted) facts.push("solved");
    const variation = event.variation.map((round) => round.map((move) => plain(move.text)).join(" | "));
    return element("div", { class: "analyst" },
      element("h3", {}, `${event.agent} for ${roles[event.role]}`),
      element("p", { class: "effort" }, facts.join(", ")),
      element("table", {}, element("thead", {}, element("tr", {}, ...["move", "value", "share", "visits"].map((head) => element("th", { scope: "col" }, head)))), element("tbody", {}, ...rows)),
      element("p", { class: "variation" }, variation.length ? `Expected: ${variation.join(", ")}` : ""),
      event.choice ? element("p", {}, event.choice) : "");
  }
}
