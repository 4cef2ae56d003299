// A match that is being played: its board, who plays, and how it stands.

import { Board } from "./board.js";
import { element, replaceContent } from "./dom.js";
import { plain } from "./moves.js";

export class LiveBoard {
  constructor() {
    this.title = element("figcaption");
    this.picture = element("div", { class: "live-picture" });
    this.players = element("ul", { class: "live-players" });
    this.state = element("p", { class: "live-state" });
    this.note = element("p", { class: "note", role: "status" });
    this.figure = element("figure", { class: "live-board" }, this.title, this.picture, this.players, this.state, this.note);
    this.board = new Board(this.picture, () => {});
  }

  show({ title, picture, players, rounds, led_by, goals, ending, note }) {
    this.title.textContent = title;
    this.board.show(picture);
    const isOver = goals.length > 0 || Boolean(ending);
    this.figure.toggleAttribute("data-over", isOver);
    replaceContent(this.players, ...players.map((own, role) => element("li", {},
      element("b", {}, own.role), ` ${own.name}${goals.length > 0 ? `: ${goals[role]}` : ""}`, faults(own))));
    const last = led_by.map((move) => plain(move.text)).join(" | ");
    const parts = [`round ${rounds}`, last && `last: ${last}`, isOver && (ending ?? "the game is over")];
    this.state.textContent = parts.filter(Boolean).join(", ");
    this.note.textContent = note ?? "";
  }
}

function faults({ late, illegal }) {
  const counts = [late && `${late} late`, illegal && `${illegal} illegal`].filter(Boolean);
  return counts.length > 0 ? element("span", { class: "faults" }, ` ${counts.join(", ")}`) : "";
}
