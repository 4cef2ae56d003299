// A match in a file of its own, opened without a server.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { pathToFileURL } from "node:url";
import { PROGRAM, openPage, startBrowser } from "./server.mjs";

let browser;
const folder = mkdtempSync(join(tmpdir(), "gdl-replay-"));

before(async () => (browser = await startBrowser()));
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true });
});

test("a match between agents becomes a file that replays by itself", async () => {
  const line = execFileSync(PROGRAM, ["play", "breakthrough", "--player", "1=uct", "--player", "2=random", "--sims", "50", "--seed", "1", "--json"]);
  writeFileSync(join(folder, "match.json"), line);
  const rounds = JSON.parse(line).rounds.length;
  const file = join(folder, "match.html");
  execFileSync(PROGRAM, ["view", join(folder, "match.json"), "-o", file]);
  const page = await openPage(browser, pathToFileURL(file).href);
  await page.waitForSelector("#picture svg");
  assert.equal(await page.textContent("#round-of"), `0 of ${rounds}`);
  const first = await page.innerHTML("#picture");
  await page.keyboard.press("End");
  assert.equal(await page.textContent("#round-of"), `${rounds} of ${rounds}`);
  assert.notEqual(await page.innerHTML("#picture"), first);
  assert.match(await page.textContent("#state"), /white: \d+, black: \d+/);
  assert.match(await page.textContent("#players"), /white: uct, black: random/);
  assert.deepEqual(page.errors, []);
});

test("texts of a record cannot end the element that holds them", async () => {
  const evil = "</script><script>document.title='owned'</script>";
  writeFileSync(join(folder, "evil.json"), JSON.stringify({
    matchId: "tictactoe.1", moves: [["(mark 1 1)", "noop"]], playerNamesFromHost: [evil, evil],
  }));
  const file = join(folder, "evil.html");
  execFileSync(PROGRAM, ["view", "tictactoe", join(folder, "evil.json"), "-o", file]);
  const page = await openPage(browser, pathToFileURL(file).href);
  await page.waitForSelector("#picture svg");
  assert.equal(await page.title(), "tictactoe");
  assert.ok((await page.textContent("#players")).includes(evil));
});
