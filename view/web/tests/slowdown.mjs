// How much updates slow an analysis down: simulations per second of processor time, for a search
// that a page watches and for the same search alone. Processor time includes everything that the
// server does, pictures and messages too. Other programs cannot take it away as they can
// wall-clock time, but by their effect on caches and clock rates they change by a few per cent
// what can be done in it. So both take many short turns, each pair is compared separately, and the
// median of the pairs counts.

import { execFile } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { PROGRAM, openPage, startServer } from "./server.mjs";

const GAME = fileURLToPath(new URL("../../../games/breakthrough.kif", import.meta.url));
const AGENT = "uct+closed";
const SECONDS = 6;

// The search of the first state alone: simulations and seconds of processor time.
async function alone(seconds) {
  const play = [PROGRAM, "play", GAME, "--engine", "net", "--player", `1=${AGENT}`, "--player", "2=random",
    "--time", `${seconds}s`, "--rounds", "1", "--memory", "256", "--json"];
  const script = 'TIMEFORMAT="%U %S"; time "$@"; true';
  const { stdout, stderr } = await promisify(execFile)("bash", ["-c", script, "bash", ...play], { maxBuffer: 1 << 26 });
  const [user, system] = stderr.trim().split("\n").at(-1).split(" ").map(Number);
  return { simulations: JSON.parse(stdout).rounds[0].thoughts[0].simulations, seconds: user + system };
}

// The search alone, without what comes before and after it.
async function aloneInside() {
  const [short, long] = [await alone(0.2), await alone(SECONDS)];
  return { simulations: long.simulations - short.simulations, seconds: long.seconds - short.seconds };
}

// The processor time of a process so far, in seconds: that of its threads, which the system
// counts in nanoseconds.
function processorTime(pid) {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8"));
  return threads.reduce((sum, text) => sum + Number(text.split(" ")[0]), 0) / 1e9;
}

// The same search with a page that shows ten updates a second.
async function watched(browser, server) {
  const page = await openPage(browser, server.address);
  const seen = [];
  page.on("websocket", (socket) => socket.on("framereceived", ({ payload }) => {
    const text = String(payload);
    if (!text.startsWith('{"is":"analysis"')) return;
    seen.push({ simulations: JSON.parse(text).simulations, seconds: processorTime(server.child.pid), at: performance.now() });
  }));
  await page.reload();
  await page.waitForSelector("#picture svg");
  await page.click("#analysis-panel summary");
  await page.click("#analyse");
  await page.waitForTimeout(1000 * (SECONDS + 0.2));
  await page.close();
  const [first, last] = [seen.find(({ at }) => at - seen[0].at > 100) ?? seen[0], seen.at(-1)];
  return { simulations: last.simulations - first.simulations, seconds: last.seconds - first.seconds };
}

// The share of its speed that a search loses to a page that watches it: the median of the
// turns, and the quartiles.
export async function slowdown(browser, turns) {
  const server = await startServer(GAME);
  const rate = ({ simulations, seconds }) => simulations / seconds;
  const losses = [];
  for (let turn = 0; turn < turns; turn += 1) {
    const byItself = await aloneInside();
    const lookedAt = await watched(browser, server);
    losses.push(1 - rate(lookedAt) / rate(byItself));
  }
  server.stop();
  losses.sort((a, b) => a - b);
  const at = (share) => losses[Math.round(share * (turns - 1))];
  return { median: at(0.5), lower: at(0.25), upper: at(0.75) };
}
