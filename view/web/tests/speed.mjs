// How soon the page answers: measured in a real browser, printed as a table for docs/view.md.
// `npm run speed`; with `--assert` it fails beyond five times what is wanted.

import { openPage, startBrowser, startServer } from "./server.mjs";
import { slowdown } from "./slowdown.mjs";

const WANTED = { picture: 300, click: 50, updates: 10, slower: 0.02 };

const server = await startServer();
const browser = await startBrowser();

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

// Milliseconds from going to a built-in game's address to its picture.
async function picture(game) {
  const times = [];
  for (let trial = 0; trial < 5; trial += 1) {
    const page = await browser.newPage();
    const begun = performance.now();
    await page.goto(`${server.address}#${game}`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.querySelector("#picture svg"), null, { polling: 5 });
    times.push(performance.now() - begun);
    await page.close();
  }
  return median(times);
}

// Milliseconds from a click on a cell to the next state, measured in the page.
async function click() {
  const page = await openPage(browser, `${server.address}#tictactoe`);
  const times = [];
  await page.waitForSelector("#picture .next");
  for (let trial = 0; trial < 5; trial += 1) {
    times.push(await page.evaluate(() => new Promise((done) => {
      const before = document.querySelector("#round-of").textContent;
      const begun = performance.now();
      const look = () => (document.querySelector("#round-of").textContent === before ? setTimeout(look, 1) : done(performance.now() - begun));
      document.querySelector("#picture .next").dispatchEvent(new MouseEvent("click", { bubbles: true }));
      look();
    })));
  }
  await page.close();
  return median(times);
}

// Updates per second of an analysis.
async function updates() {
  const page = await openPage(browser, `${server.address}#breakthrough`);
  await page.waitForSelector("#picture svg");
  await page.evaluate(() => {
    window.updates = 0;
    new MutationObserver(() => (window.updates += 1)).observe(document.querySelector("#analysis"), { childList: true });
  });
  await page.click("#analysis-panel summary");
  await page.click("#analyse");
  await page.waitForFunction(() => window.updates > 3);
  await page.evaluate(() => (window.updates = 0));
  await page.waitForTimeout(3000);
  const seen = await page.evaluate(() => window.updates);
  await page.close();
  return seen / 3;
}

// In continuous integration only the bounds are checked, with fewer turns.
const asserts = process.argv.includes("--assert");
const measured = {
  tictactoe: await picture("tictactoe"),
  breakthrough: await picture("breakthrough"),
  hex: await picture("hex"),
  click: await click(),
  updates: await updates(),
  slower: await slowdown(browser, asserts ? 3 : 7),
};
await browser.close();
server.stop();

const percent = ({ median, lower, upper }) => [median, lower, upper].map((share) => (100 * share).toFixed(1).replace("-", "−")).join(" / ") + " %";
const rows = [
  ["first picture of tictactoe", `${measured.tictactoe.toFixed(0)} ms`, "300 ms"],
  ["first picture of breakthrough", `${measured.breakthrough.toFixed(0)} ms`, "300 ms"],
  ["first picture of hex", `${measured.hex.toFixed(0)} ms`, "300 ms"],
  ["a click that makes a move", `${measured.click.toFixed(1)} ms`, "50 ms"],
  ["updates of an analysis", `${measured.updates.toFixed(1)} per second`, "10 per second"],
  ["loss of a search to these updates, and quartiles", percent(measured.slower), "at most 2 %"],
];
console.log("| what | measured | wanted |\n|---|---:|---:|");
for (const row of rows) console.log(`| ${row.join(" | ")} |`);

const fails = [measured.tictactoe, measured.breakthrough, measured.hex].some((time) => time > 5 * WANTED.picture)
  || measured.click > 5 * WANTED.click || measured.updates < WANTED.updates / 5
  || measured.slower.median > 5 * WANTED.slower;
if (asserts && fails) {
  console.error("the page is more than five times slower than wanted");
  process.exit(1);
}
