// The legal moves beside the board, and which of them the clicks so far mean.

import { element, replaceContent } from "./dom.js";

// The maximum number of buttons for a role's moves: nobody can read more.
const MOST_BUTTONS = 400;

export class Moves {
  constructor(parent, status, board, choose) {
    this.parent = parent;
    this.status = status;
    this.board = board;
    this.choose = choose;
    this.clicked = [];
  }

  show(position, roles) {
    this.position = position;
    this.roles = roles;
    this.clicked = [];
    this.render();
  }

  // A click on a cell: the next cell of a move, or the first one of another.
  click(cell) {
    if (!this.position) return;
    const longer = [...this.clicked, cell];
    const fits = this.matching(longer);
    this.clicked = fits.length > 0 ? longer : this.matching([cell]).length > 0 ? [cell] : [];
    const matching = this.matching(this.clicked);
    const complete = matching.filter(({ move }) => (move.cells ?? []).length === this.clicked.length);
    if (this.clicked.length > 0 && matching.length === 1 && complete.length === 1) {
      this.choose(complete[0].role, complete[0].index);
      return;
    }
    this.render();
  }

  // The moves whose cells begin with these, of the roles that are asked.
  matching(clicked) {
    const found = [];
    this.position.legal.forEach((moves, role) => {
      if (!this.position.asked[role]) return;
      moves.forEach((move, index) => {
        const cells = move.cells ?? [];
        if (clicked.every((cell, place) => cells[place]?.includes(cell))) found.push({ role, index, move });
      });
    });
    return found;
  }

  render() {
    const matching = this.matching(this.clicked);
    const next = new Set(matching.flatMap(({ move }) => (move.cells ?? [])[this.clicked.length] ?? []));
    this.board.mark(this.clicked, next);
    const groups = this.roles.map((role, number) => {
      if (!this.position.asked[number]) return null;
      const own = matching.filter((found) => found.role === number);
      const buttons = own.slice(0, MOST_BUTTONS).map(({ index, move }) =>
        element("button", { type: "button", "data-move": move.text, onclick: () => this.choose(number, index) }, plain(move.text)),
      );
      const more = own.length - buttons.length;
      return element(
        "div",
        { class: "role-moves", role: "group", "aria-label": `Moves of ${role}` },
        element("h3", {}, `${role}: ${own.length} of ${this.position.counts[number]} moves`),
        element("div", { class: "move-buttons" }, ...buttons),
        more > 0 ? element("p", {}, `and ${more} more: click their cells on the board`) : "",
      );
    });
    replaceContent(this.parent, ...groups.filter(Boolean));
    this.status.textContent = this.clicked.length > 0 ? `${this.clicked.length} clicked; go on, or click elsewhere` : "";
  }
}

// A move without its outermost parentheses.
export function plain(text) {
  return text.startsWith("(") ? text.slice(1, -1) : text;
}
