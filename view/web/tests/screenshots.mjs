// Makes the pictures of docs/view.md: `npm run screenshots`.

import { fileURLToPath } from "node:url";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPage, startBrowser, startLive, startServer } from "./server.mjs";

const folder = fileURLToPath(new URL("../../../docs/view/", import.meta.url));
const server = await startServer();
const browser = await startBrowser();

const page = await openPage(browser, `${server.address}#breakthrough`);
await page.setViewportSize({ width: 1180, height: 860 });
await page.waitForSelector("#picture svg");
await page.locator("#players input[type=number]").first().fill("0.3");
await page.locator("#players input[type=number]").first().dispatchEvent("change");
await page.click("#start");
for (const cells of ["0.52", "0.44", "0.51", "0.42"].map((name) => name.split("."))) {
  const next = page.locator(`#picture .next[data-board="${cells[0]}"][data-cell="${cells[1]}"]`);
  await next.waitFor({ timeout: 5000 });
  await next.click({ force: true });
  await page.waitForTimeout(600);
}
await page.click("#moves-panel summary");
await page.click("#analysis-panel summary");
await page.click("#analyse");
await page.waitForSelector("#analysis tbody tr");
await page.waitForTimeout(2000);
await page.screenshot({ path: `${folder}analysis.png` });

await page.click("#show-write");
await page.waitForFunction(() => /can be played/.test(document.querySelector("#verdict")?.textContent));
await page.locator("#editor .cm-content").click();
await page.keyboard.press("Control+End");
await page.keyboard.type("(<= (legal ?player (tak 3))\n(true (control ?plyer)))");
await page.waitForFunction(() => document.querySelectorAll("#findings li").length > 0);
await page.waitForTimeout(500);
await page.screenshot({ path: `${folder}writing.png` });

// A tournament about halfway through.
const games = mkdtempSync(join(tmpdir(), "gdl-screenshots-"));
writeFileSync(join(games, "four-in-a-row.toml"), [
  "games = 10", 'time = "20ms"', "seed = 3", 'rules = ["connect_four"]', 'agents = ["uct", "uct+mast", "uct+rave", "random"]',
].join("\n"));
const run = await startLive(games, "tournament", "four-in-a-row.toml");
const live = await openPage(browser, run.address);
await live.setViewportSize({ width: 1180, height: 860 });
await live.waitForFunction(() => /(4[5-9]|5\d) of 60/.test(document.querySelector("#progress")?.textContent), null, { timeout: 120_000 });
await live.screenshot({ path: `${folder}live.png` });
run.child.kill();

await browser.close();
server.stop();
