// The page: wires the parts together. What happens in a game is decided by the server.

import "./page.css";
import { Analysis } from "./analysis.js";
import { Board } from "./board.js";
import { Composer } from "./composer.js";
import { Connection } from "./connection.js";
import { MatchHistory } from "./history.js";
import { byId, element, replaceContent } from "./dom.js";
import { Graph } from "./graph.js";
import { Moves, plain } from "./moves.js";
import { Players } from "./players.js";
import { Playground } from "./playground.js";
import { Tree } from "./tree.js";

const page = { roles: [], history: { moves: [], values: [] }, round: 0 };

const connection = new Connection((status) => (byId("connection").textContent = status), "The server is gone. Start gdl view again, and reload this page.");
const send = (request) => connection.send(request);
const goTo = (round) => send({ do: "go_to", round });

const board = new Board(byId("picture"), (cell) => moves.click(cell));
const moves = new Moves(byId("moves"), byId("chosen"), board, (role, index) => send({ do: "move", role, index }));
const composer = new Composer(byId("composer"));
const players = new Players(byId("players"), composer, {
  start: (match) => send({ do: "start", ...match }),
  change: (match) => send({ do: "players", ...match }),
});
const tree = new Tree(byId("tree-panel"), byId("tree"), send);
const analysis = new Analysis(byId("analysis-form"), byId("analysis"), tree, board, send, (role, index) => send({ do: "move", role, index }));
const matchHistory = new MatchHistory(goTo);
const graph = new Graph(byId("graph"), goTo);
const playground = new Playground(connection);

function say(message) {
  byId("message").textContent = message;
  byId("message").hidden = !message;
}

connection.on("library", ({ entries, first, components }) => {
  composer.offer(components);
  const options = entries.map(({ name, kind }) => element("option", { value: name }, kind === "record" ? `${name} (record)` : name));
  replaceContent(byId("games"), ...options);
  const named = decodeURIComponent(window.location.hash.slice(1));
  const known = entries.some(({ name }) => name === named);
  const begin = known ? named : (first ?? (entries.some(({ name }) => name === "tictactoe") ? "tictactoe" : entries[0]?.name));
  if (begin) open(begin);
});

function open(name) {
  say("");
  byId("games").value = name;
  send({ do: "open", name });
}

connection.on("opened", (event) => {
  say("");
  page.roles = event.roles;
  playground.roles = event.roles;
  document.title = `${event.name} – gdl view`;
  const size = [event.fluents && `${event.fluents} fluents`, event.moves && `${event.moves} moves`, event.gates && `${event.gates} gates`];
  byId("games").title = [event.engine, ...size].filter(Boolean).join(", ");
  players.show(event.roles);
  analysis.forget();
  if (event.rules && event.name !== "playground") playground.load(event.rules);
});

connection.on("position", (position) => {
  page.round = position.round;
  board.show(position.picture);
  matchHistory.at(position.round, position.rounds);
  analysis.moveTo(position.round);
  moves.show(position, page.roles);
  graph.show(page.history.values, page.roles, position.round);
  byId("state").textContent = describe(position);
  const fact = (sign) => (text) => element("li", { class: sign }, `${sign === "added" ? "+" : "−"} ${text}`);
  replaceContent(byId("facts"), ...position.added.map(fact("added")), ...position.removed.map(fact("removed")));
  byId("take-back").disabled = position.rounds === 0;
  byId("play-on").disabled = position.round === position.rounds;
});

function describe(position) {
  if (position.terminal) {
    const goals = page.roles.map((role, number) => `${role}: ${position.goals[number]}`).join(", ");
    return [`The game is over. ${goals}`, position.note].filter(Boolean).join(". ");
  }
  const asked = page.roles.filter((_, number) => position.asked[number]);
  const led = position.led_by.map(({ text }) => plain(text)).join(" | ");
  const turn = asked.length ? `${asked.join(" and ")} to move` : "";
  return [position.note, led && `Last: ${led}.`, turn].filter(Boolean).join(" ");
}

connection.on("history", (event) => {
  page.history.paused = event.paused;
  players.playing(event.players);
  replaceTail(page.history.moves, event.from, event.moves);
  replaceTail(page.history.values, event.from, event.values);
  matchHistory.show(page.history, event.from);
  graph.show(page.history.values, page.roles, page.round);
  byId("pause").setAttribute("aria-pressed", event.paused);
  byId("pause").textContent = event.paused ? "Let agents go on" : "Pause agents";
});

// Long matches have too many rounds for all of them to be told each time.
function replaceTail(list, from, tail) {
  list.length = Math.min(list.length, from);
  for (const entry of tail) list.push(entry);
}

connection.on("thinking", ({ role, simulations, prepares }) => {
  const doing = prepares ? "prepares" : "searches";
  byId("state").textContent = `${page.roles[role]} ${doing}: ${simulations.toLocaleString("en")} simulations`;
});

connection.on("analysis", (event) => analysis.show(event, page.roles));
connection.on("tree", (event) => event.round === page.round && tree.show(event, page.roles));
connection.on("failed", ({ message }) => {
  say(message);
  analysis.failed();
});

byId("games").addEventListener("change", (event) => {
  window.location.hash = encodeURIComponent(event.target.value);
  open(event.target.value);
});
byId("take-back").addEventListener("click", () => send({ do: "take_back" }));
byId("play-on").addEventListener("click", () => send({ do: "play_on" }));
byId("pause").addEventListener("click", () => send({ do: "pause", on: !page.history.paused }));
byId("evaluate").addEventListener("click", () => send({ do: "evaluate", seconds: 0.2 }));
byId("hint").addEventListener("click", () => {
  byId("analysis-panel").open = true;
  analysis.glance();
});

byId("record-file").addEventListener("change", async (event) => {
  const [file] = event.target.files;
  if (!file) return;
  const packed = file.name.endsWith(".gz");
  const stream = packed ? file.stream().pipeThrough(new DecompressionStream("gzip")) : file.stream();
  say("");
  send({ do: "open_record", text: await new Response(stream).text() });
  event.target.value = "";
});

const sides = ["play", "write"];
for (const shown of sides) {
  byId(`show-${shown}`).addEventListener("click", () => {
    for (const side of sides) {
      byId(`show-${side}`).setAttribute("aria-pressed", side === shown);
      byId(side).hidden = side !== shown;
    }
    if (shown === "write") playground.open();
  });
}
byId("play-rules").addEventListener("click", () => byId("show-play").click());
