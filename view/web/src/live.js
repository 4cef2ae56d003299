// The page that shows what is being played elsewhere.

import { Connection } from "./connection.js";
import { byId, element, replaceContent } from "./dom.js";
import { LiveBoard } from "./live_board.js";
import { scores, table } from "./standings.js";

const boards = new Map();
let ended = false;

const connection = new Connection((status) => {
  // The server ends along with what it shows.
  byId("connection").textContent = ended ? "It is over: this page keeps what it showed last." : status;
}, "The server is gone, and with it what was played.");

connection.on("live", (event) => {
  ended = event.ended;
  byId("title").textContent = event.title;
  document.title = `${event.title} – gdl live`;
});

connection.on("live_board", (event) => {
  if (!boards.has(event.place)) {
    const board = new LiveBoard();
    boards.set(event.place, board);
    byId("boards").append(board.figure);
  }
  boards.get(event.place).show(event);
});

connection.on("standings", (event) => {
  byId("standings").hidden = false;
  const left = event.requested - event.done;
  replaceContent(byId("progress"),
    element("progress", { max: event.requested, value: event.done, "aria-label": "Games" }),
    ` ${event.done} of ${event.requested} games done, ${left} left`);
  replaceContent(byId("tables"), ...event.tables.map(table), ...event.scores.map(scores));
});
