// What is being played elsewhere, in a real browser: contests, hosted matches and served ones.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { PROGRAM, addressIn, openPage, startBrowser, startLive } from "./server.mjs";

// A host sends rules, so it needs a file of them.
const GAME = fileURLToPath(new URL("../../../games/breakthrough.kif", import.meta.url));

let browser, folder;
const children = [];

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gdl-live-"));
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  for (const child of children) child.kill("SIGKILL");
  // Commands that are being killed may still write to it.
  await rm(folder, { recursive: true, maxRetries: 5 });
});

// Starts a command that shows what it plays; it ends with the tests.
async function live(...args) {
  const run = await startLive(folder, ...args);
  children.push(run.child);
  return run;
}

test("a live match shows boards, marks last moves and counts games", async () => {
  const run = await live("match", "hex", "uct+mast", "uct", "--games", "2", "--time", "400ms", "--threads", "1", "--seed", "1", "--json");
  const page = await openPage(browser, run.address);
  await page.waitForSelector(".live-board svg .gdl-last");
  const board = page.locator(".live-board").first();
  assert.match(await board.locator("figcaption").textContent(), /^hex, game \d+$/);
  assert.match(await board.locator(".live-players").textContent(), /uct\+mast/);
  const rounds = async () => Number(/round (\d+)/.exec(await board.locator(".live-state").textContent())[1]);
  const early = await rounds();
  await page.waitForFunction((early) => Number(/round (\d+)/.exec(document.querySelector(".live-state").textContent)[1]) !== early, early);
  assert.match(await page.textContent("#progress"), /\d of 2 games done, \d left/);
  await page.waitForFunction(() => /2 of 2 games done, 0 left/.test(document.querySelector("#progress")?.textContent), null, { timeout: 120_000 });
  await page.waitForFunction(() => /It is over/.test(document.querySelector("#connection")?.textContent));
  const result = JSON.parse(await run.done.then(() => run.output));
  assert.equal(result.games, 2);
  // The page's last figures are those of the result.
  const percent = `${(100 * result.score).toFixed(1)} ±`;
  assert.ok((await page.textContent("#tables tbody td:nth-child(3)")).startsWith(percent));
  assert.match(await page.textContent("#tables"), /Elo/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a live tournament grows its cross table with intervals and ratings", async () => {
  await writeFile(join(folder, "table.toml"), [
    "games = 40", "simulations = 400", "seed = 3", 'rules = ["connect_four"]', 'agents = ["uct", "uct+mast", "random"]',
  ].join("\n"));
  const run = await live("tournament", "table.toml", "--threads", "1");
  const page = await openPage(browser, run.address);
  await page.waitForSelector("#tables tbody tr");
  const games = () => page.evaluate(() => Number(/(\d+) of/.exec(document.querySelector("#progress").textContent)[1]));
  const early = await games();
  await page.waitForFunction((early) => Number(/(\d+) of/.exec(document.querySelector("#progress").textContent)[1]) > early, early);
  await page.waitForSelector(".live-board svg");
  assert.ok((await page.locator(".live-board").count()) <= 12);
  await page.waitForFunction(() => /120 of 120/.test(document.querySelector("#progress")?.textContent), null, { timeout: 120_000 });
  const heads = await page.locator("#tables thead th").allTextContents();
  assert.deepEqual(heads, ["", "uct", "uct+mast", "random", "Elo", "late", "illegal"]);
  const against = await page.textContent("#tables tbody tr:first-child td:nth-child(4)");
  assert.match(against, /\d+\.\d ± \d+\.\d %40 gamesElo/);
  assert.equal(await page.locator("#tables .bar .interval").count(), 3);
  const ratings = await page.locator("#tables .rating").allTextContents();
  const points = ratings.map((text) => Number(text.split(" ")[0].replace("−", "-")));
  assert.ok(points[0] > points[2] && points[1] > points[2], ratings.join("; "));
  assert.equal(await run.done, 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a hosted match against a served player is shown at both ends", async () => {
  const player = spawn(PROGRAM, ["serve", "--port", "0", "--json", "--agent", "uct", "--no-native", "--folder", folder, "--view", "--no-open"], { cwd: folder });
  children.push(player);
  const [url, shown] = await Promise.all([addressIn(player.stdout, /"address":"(http:[^"]+)"/), addressIn(player.stderr, /^live at (http:\S+)/)]);
  const served = await openPage(browser, shown);
  const host = await live("host", GAME, "--player", `1=${url}`, "--player", "2=random", "--startclock", "2", "--playclock", "0.3", "--quiet");
  const hosted = await openPage(browser, host.address);
  for (const page of [served, hosted]) {
    await page.waitForSelector(".live-board svg .gdl-last", { timeout: 60_000 });
    await page.waitForFunction(() => /round [1-9]/.test(document.querySelector(".live-state")?.textContent));
  }
  assert.match(await hosted.textContent(".live-players"), /white.*black random/);
  assert.match(await served.textContent(".live-players"), /white uct/);
  host.child.kill("SIGINT");
  await hosted.waitForFunction(() => /aborted/.test(document.querySelector(".live-state")?.textContent));
  await served.waitForFunction(() => /aborted/.test(document.querySelector(".live-state")?.textContent));
  player.kill("SIGINT");
  assert.deepEqual([...served.errors, ...hosted.errors], []);
  await Promise.all([served.close(), hosted.close()]);
});
