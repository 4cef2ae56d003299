// How contests stand: cross tables with intervals, and Elo ratings with error bars.

import { element, shape } from "./dom.js";

// All agents against all in one game.
export function table({ game, conditions, agents }) {
  const rated = agents.filter(({ rating }) => rating);
  const reach = Math.max(50, ...rated.map(({ rating }) => Math.abs(rating.elo) + rating.half_width));
  const head = ["", ...agents.map(({ agent }) => agent), "Elo", "late", "illegal"];
  const rows = agents.map(({ agent, cells, rating, overruns, illegal }) => element("tr", {},
    element("th", { scope: "row" }, agent),
    ...cells.map((cell) => element("td", {}, ...(cell ? result(cell) : []))),
    element("td", { class: "rating" }, ...(rating ? [`${signed(rating.elo)} ± ${rating.half_width.toFixed(0)} `, bar(rating, reach)] : ["–"])),
    element("td", {}, String(overruns)),
    element("td", {}, String(illegal))));
  return captioned(`${game}, ${conditions} a move`, head, rows);
}

// The scores of three agents and more in the same games, or of agents alone.
export function scores({ game, conditions, agents }) {
  const rows = agents.map((own) => element("tr", {},
    element("th", { scope: "row" }, own.agent),
    element("td", {}, percent(own)),
    element("td", {}, String(own.overruns)),
    element("td", {}, String(own.illegal))));
  return captioned(`${game}, ${conditions} a move`, ["", "score", "late", "illegal"], rows);
}

function captioned(caption, head, rows) {
  return element("div", { class: "wide" }, element("table", {},
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head.map((text) => element("th", { scope: "col" }, text)))),
    element("tbody", {}, ...rows)));
}

function result(cell) {
  const games = `${cell.encounters} ${cell.encounters === 1 ? "game" : "games"}`;
  const lines = [percent(cell), element("small", {}, games)];
  if (cell.elo) {
    const { elo, lower, upper } = cell.elo;
    const range = `${signed(lower, "−∞")} to ${signed(upper, "+∞")}`;
    lines.push(element("small", {}, elo === null ? `Elo ${range}` : `Elo ${signed(elo)}, ${range}`));
  }
  return lines;
}

function percent({ score, lower, upper }) {
  if (score === null) return "–";
  // An interval is cut off at 0 and at 1: the end that is farther away gives its half-width.
  const half = Math.max(score - lower, upper - score);
  return `${(100 * score).toFixed(1)} ± ${(100 * half).toFixed(1)} %`;
}

function signed(points, infinite) {
  if (points === null) return infinite;
  const rounded = Math.round(points);
  return `${rounded > 0 ? "+" : ""}${rounded}`.replace("-", "−");
}

// A rating on a scale from -reach to reach: a dot, and its interval as a line.
function bar({ elo, half_width: half }, reach) {
  const place = (points) => 60 + (55 * points) / reach;
  const svg = shape("svg", { viewBox: "0 0 120 12", width: 120, height: 12, class: "bar", "aria-hidden": "true" });
  svg.append(
    shape("line", { x1: 60, x2: 60, y1: 0, y2: 12, class: "zero" }),
    shape("line", { x1: place(elo - half), x2: place(elo + half), y1: 6, y2: 6, class: "interval" }),
    shape("circle", { cx: place(elo), cy: 6, r: 3 }));
  return svg;
}
