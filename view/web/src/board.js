// The picture of the state that is shown: an SVG of the server whose cells can be clicked.

import { replaceContent, shape } from "./dom.js";

export class Board {
  constructor(parent, onCell) {
    this.parent = parent;
    parent.addEventListener("click", (event) => {
      const cell = event.target.closest("[data-cell]");
      if (cell) onCell(nameOf(cell));
    });
    parent.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      const cell = event.target.closest("[data-cell]");
      if (!cell) return;
      event.preventDefault();
      onCell(nameOf(cell));
    });
  }

  // Shows a picture. What came as text is parsed as XML, not HTML, and scripts in it would
  // not run: the page's policy forbids them.
  show(picture) {
    const parsed = new DOMParser().parseFromString(picture, "image/svg+xml");
    if (parsed.documentElement.localName !== "svg") return;
    const svg = document.importNode(parsed.documentElement, true);
    svg.querySelectorAll("script, style").forEach((element) => element.remove());
    replaceContent(this.parent, svg);
    this.svg = svg;
    this.overlay = shape("g", { class: "overlay" });
    svg.append(this.overlay);
    this.cells = new Map();
    for (const cell of svg.querySelectorAll("[data-cell]")) this.cells.set(nameOf(cell), cell);
  }

  // Marks cells that were clicked, and those that can be clicked next.
  mark(clicked, next) {
    for (const [name, cell] of this.cells ?? []) {
      cell.classList.toggle("clicked", clicked.includes(name));
      const isNext = next.has(name);
      cell.classList.toggle("next", isNext);
      if (isNext) cell.setAttribute("tabindex", "0");
      else cell.removeAttribute("tabindex");
    }
  }

  // The centre of a cell, and its size, in the coordinates of the picture.
  center(name) {
    const shape = this.cells?.get(name)?.querySelector(":scope > :not(title)");
    const toPicture = this.svg?.getScreenCTM()?.inverse();
    if (!shape || !toPicture) return null;
    const box = shape.getBoundingClientRect();
    const middle = new DOMPoint(box.x + box.width / 2, box.y + box.height / 2).matrixTransform(toPicture);
    return { x: middle.x, y: middle.y, size: Math.min(box.width, box.height) * toPicture.a };
  }

  // Draws moves over the board: an arrow from cell to cell, a disc for a single cell; the greater
  // a move's share, the bolder its shape.
  draw(moves) {
    if (!this.overlay) return;
    const shapes = [];
    for (const { cells = [], share, best } of moves) {
      const centers = cells.map((named) => this.center(named[0])).filter(Boolean);
      if (centers.length === 0) continue;
      const drawn = centers.length === 1 ? disc(centers[0], share) : arrow(centers, share);
      drawn.setAttribute("class", best ? "share best" : "share");
      drawn.setAttribute("opacity", (0.15 + 0.75 * share).toFixed(3));
      shapes.push(drawn);
    }
    this.overlay.replaceChildren(...shapes);
  }
}

// A cell's name in messages.
function nameOf(cell) {
  return `${cell.dataset.board}.${cell.dataset.cell}`;
}

function disc({ x, y, size }, share) {
  return shape("circle", { cx: x, cy: y, r: size * (0.12 + 0.25 * share) });
}

function arrow(centers, share) {
  const [end, before] = [centers.at(-1), centers.at(-2)];
  const angle = Math.atan2(end.y - before.y, end.x - before.x);
  const head = end.size * 0.3;
  const wing = (turn) => {
    const x = end.x - head * Math.cos(angle + turn);
    const y = end.y - head * Math.sin(angle + turn);
    return `M ${x} ${y} L ${end.x} ${end.y}`;
  };
  const line = centers.map(({ x, y }, index) => `${index ? "L" : "M"} ${x} ${y}`).join(" ");
  return shape("path", {
    d: `${line} ${wing(0.5)} ${wing(-0.5)}`,
    fill: "none",
    "stroke-width": end.size * (0.04 + 0.1 * share),
    "stroke-linecap": "round",
  });
}
