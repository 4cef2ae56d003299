// A match in a file of its own: steps through the pictures that the file holds.

import "./page.css";
import { Board } from "./board.js";
import { byId } from "./dom.js";
import { MatchHistory } from "./history.js";
import { plain } from "./moves.js";

const match = JSON.parse(byId("match").textContent);
const board = new Board(byId("picture"), () => {});
const history = new MatchHistory(show);

function show(round) {
  board.show(match.pictures[round]);
  history.at(round, match.moves.length);
  const led = round > 0 ? `Last: ${match.moves[round - 1].map(plain).join(" | ")}.` : "";
  const goals = round === match.moves.length ? match.roles.map((role, number) => `${role}: ${match.goals[number]}`).join(", ") : "";
  byId("state").textContent = [led, goals].filter(Boolean).join(" ");
}

document.title = match.title;
byId("title").textContent = match.title;
byId("players").textContent = match.roles.map((role, number) => `${role}: ${match.players[number] ?? "?"}`).join(", ");
history.show({ moves: match.moves, values: [] });
show(0);
