// The page in a real browser: people play by clicks, look at analyses, step through records
// and write rules.

import assert from "node:assert/strict";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openPage, startBrowser, startServer } from "./server.mjs";

const LONG = "n".repeat(10_000);

// Rules whose names try to be markup.
const HOSTILE = [
  "(role <script>alert`1`</script>) (role \"onload=alert`2`)",
  "(init (cell 1 1 <img/src=x/onerror=alert`3`>)) (init (cell 1 2 &lt&amp))",
  `(init (cell 2 1 ${LONG})) (init (cell 2 2 blank))`,
  "(<= (legal ?r (mark ?x ?y)) (role ?r) (true (cell ?x ?y ?any)))",
  "(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)))",
  "(<= (next done) (does ?r (mark ?x ?y)))",
  "(<= terminal (true done))",
  "(<= (goal ?r 50) (role ?r))",
].join("\n");

// Rules of one role and two moves.
const PUZZLE = "(role you) (init ready) (<= (legal you go) (true ready)) (<= (legal you stay) (true ready)) (<= (next done) (does you go)) (<= (next done) (does you stay)) (<= terminal (true done)) (goal you 100)";

// Rules under which both roles move at once, twice, and gain by going.
const BOTH = `
(role a) (role b) (init (step 0)) (succ 0 1) (succ 1 2)
(<= (legal ?r go) (role ?r)) (<= (legal ?r stay) (role ?r))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next (went ?r)) (does ?r go))
(<= terminal (true (step 2)))
(<= (goal ?r 100) (true (went ?r)))
(<= (goal ?r 0) (role ?r) (not (true (went ?r))))
`;

let browser, server, folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "gdl-view-"));
  await writeFile(join(folder, "hostile.kif"), HOSTILE);
  await writeFile(join(folder, "both.kif"), BOTH);
  await writeFile(join(folder, "match.json"), JSON.stringify({
    matchId: "tictactoe.1", gameMetaURL: "http://games.example/games/tictactoe/", moves: [
      ["(mark 2 2)", "noop"], ["noop", "(mark 1 1)"], ["(mark 1 3)", "noop"],
    ], playerNamesFromHost: ["Ada", "Bob"],
  }));
  server = await startServer(folder);
  browser = await startBrowser();
});

after(async () => {
  await browser?.close();
  server?.stop();
  await rm(folder, { recursive: true });
});

// Opens a game, and lets these players play it: `person`, or an agent's text.
async function start(game, players, seconds = 0.1) {
  const page = await openPage(browser, `${server.address}#${game}`);
  await page.waitForSelector("#picture svg");
  await choosePlayers(page, players, seconds);
  return page;
}

async function choosePlayers(page, players, seconds = 0.1) {
  for (const [index, player] of players.entries()) {
    const row = page.locator(".player").nth(index);
    await row.locator("select").selectOption(player === "person" ? "person" : "agent");
    if (player !== "person") {
      const text = row.locator("input").first();
      await text.fill(player);
      await text.dispatchEvent("change");
    }
  }
  const clock = page.locator("#players input[type=number]").first();
  await clock.fill(String(seconds));
  await clock.dispatchEvent("change");
  await page.click("#start");
}

// Clicks cells that begin or continue a move, round after round, until the game is over.
async function clickThrough(page, pick = () => 0) {
  for (let round = 0; round < 300; round += 1) {
    await page.waitForFunction(() => document.querySelector("#picture .next") || /over/.test(document.querySelector("#state")?.textContent));
    if (await isOver(page)) return;
    const cells = page.locator("#picture .next");
    const cell = cells.nth(pick(await cells.count()));
    // The board may be drawn anew between the look and the click.
    await cell.click({ force: true, timeout: 1000 }).catch(() => {});
    await page.waitForTimeout(20);
  }
  assert.fail("the game does not end");
}

const isOver = async (page) => /The game is over/.test(await page.textContent("#state"));
const round = async (page) => Number(await page.inputValue("#round"));

test("a whole game of tictactoe against the agent by clicks", async () => {
  const page = await start("tictactoe", ["person", "uct"]);
  await clickThrough(page);
  assert.match(await page.textContent("#state"), /x: \d+, o: \d+/);
  assert.ok((await page.locator("#history li").count()) >= 5);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("breakthrough by clicks on pieces and targets", async () => {
  const page = await start("breakthrough", ["person", "random"]);
  const random = (count) => Math.floor(Math.random() * count);
  await clickThrough(page, random);
  assert.match(await page.textContent("#state"), /white: (0|100), black: (0|100)/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("tron with two people, who choose at the same time", async () => {
  const page = await start("tron", ["person", "person"]);
  for (let step = 0; step < 80 && !(await isOver(page)); step += 1) {
    const before = await round(page);
    // A role with a single move is not asked.
    for (let asked = await page.locator(".role-moves").count(); asked > 0; asked -= 1) {
      await page.locator(".role-moves .move-buttons button").first().click();
      await page.waitForTimeout(30);
    }
    await page.waitForFunction((before) => Number(document.querySelector("#round").value) > before, before);
  }
  assert.ok(await isOver(page));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a game of three roles", async () => {
  const page = await start("yavalath", ["person", "uct", "random"], 0.05);
  await clickThrough(page, (count) => count - 1);
  assert.equal((await page.textContent("#state")).match(/\d+/g).length, 3);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a puzzle for one", async () => {
  const page = await start("peg_solitaire", ["person"]);
  for (let move = 0; move < 3; move += 1) {
    const before = await round(page);
    await page.locator(".move-buttons button").first().click();
    await page.waitForFunction((before) => Number(document.querySelector("#round").value) > before, before);
  }
  await page.click("#take-back");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "2 of 2");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an analysis appears, draws on the board and stops", async () => {
  const page = await start("breakthrough", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#analyse");
  await page.waitForSelector("#analysis tbody tr");
  await page.waitForSelector("#picture .overlay .share");
  const simulations = () => page.textContent("#analysis .effort");
  const early = await simulations();
  await page.waitForFunction((early) => document.querySelector("#analysis .effort").textContent !== early, early);
  await page.click("#analyse");
  await page.waitForTimeout(300);
  const stopped = await simulations();
  await page.waitForTimeout(400);
  assert.equal(await simulations(), stopped);
  assert.equal(await page.locator("#picture .overlay .share").count(), 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the tree of an analysis is walked in, and its nodes stay open", async () => {
  const page = await start("breakthrough", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#tree-panel summary");
  await page.click("#analyse");
  const moves = page.locator("#tree > div > .tree > li");
  await moves.first().waitFor();
  assert.match(await moves.first().textContent(), /move \w \d \w \d.*visits/);
  const figures = () => moves.first().locator("> .figures").textContent();
  const early = await figures();
  // The second move, and then a reply to it.
  const second = moves.filter({ hasText: /./ }).nth(1);
  const name = await second.locator("> button").textContent();
  await second.locator("> button").click();
  const opened = page.locator("#tree > div > .tree > li", { has: page.locator("> ul") });
  await opened.locator("> ul > li").first().waitFor();
  assert.equal(await opened.locator("> button").textContent(), name);
  assert.equal(await opened.locator("> button").getAttribute("aria-expanded"), "true");
  await opened.locator("> ul > li > button").first().click();
  await opened.locator("> ul > li > ul > li").first().waitFor();
  await page.waitForFunction((early) => document.querySelector("#tree .figures").textContent !== early, early);
  assert.equal(await opened.locator("> ul > li > ul").count(), 1, "it stays open while it grows");
  await opened.locator("> button").click();
  assert.equal(await page.locator("#tree ul ul").count(), 0);
  await page.click("#analyse");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the tree of either of two agents is shown", async () => {
  const page = await start("breakthrough", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#tree-panel summary");
  await page.getByLabel("Agent that analyses").fill("uct");
  await page.getByLabel("Second agent").fill("uct(c=10000)");
  await page.click("#analyse");
  const moves = page.locator("#tree > div > .tree > li");
  await moves.first().locator("> button").click();
  await page.locator("#tree ul ul > li").first().waitFor();
  assert.equal(await page.locator("#tree select option").count(), 2);
  // The first agent prefers moves, and the second one tries all of them equally often.
  const unevenness = () => moves.locator("> .figures").evaluateAll((all) => {
    const visits = all.map((figures) => {
      const [, count, unit] = figures.textContent.match(/, ([\d.]+)([KM]?) visits/);
      return count * { "": 1, K: 1e3, M: 1e6 }[unit];
    });
    return Math.max(...visits) / Math.min(...visits);
  });
  await page.waitForTimeout(500);
  const preferring = await unevenness();
  await page.getByLabel("Agent whose tree is shown").selectOption("uct(c=10000)");
  assert.equal(await page.locator("#tree ul ul").count(), 0, "another tree is closed");
  await page.waitForTimeout(500);
  const even = await unevenness();
  assert.ok(even < 1.5 && preferring > 2 * even, `${preferring} and ${even}`);
  // With one agent there is nothing to choose.
  await page.click("#analyse");
  await page.getByLabel("Second agent").fill("");
  await page.click("#analyse");
  await moves.first().waitFor();
  assert.equal(await page.locator("#tree select").count(), 0);
  await page.click("#analyse");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a hint searches for a second, and its button is free again", async () => {
  const page = await start("breakthrough", ["person", "person"]);
  await page.click("#hint");
  await page.waitForSelector("#analysis tbody tr");
  assert.equal(await page.textContent("#analyse"), "Stop");
  await page.waitForFunction(() => document.querySelector("#analyse")?.textContent === "Analyse");
  assert.equal(await page.getAttribute("#analyse", "aria-pressed"), "false");
  // What was found stays, and an analysis can begin at once.
  assert.ok((await page.locator("#analysis tbody tr").count()) > 0);
  await page.click("#analyse");
  await page.waitForTimeout(1500);
  assert.equal(await page.textContent("#analyse"), "Stop");
  await page.close();
});

test("sides are swapped and the match goes on", async () => {
  const page = await start("tictactoe", ["person", "uct"]);
  await page.locator("#picture .next").first().dispatchEvent("click");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "2 of 2");
  await page.click("#swap");
  // Now the agent moves for x, and the person is asked for o.
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "3 of 3");
  assert.match(await page.textContent("#state"), /o to move/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("two agents analyse side by side, and a solved position says so", async () => {
  const page = await start("tictactoe", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.fill("[aria-label='Second agent']", "uct+mast");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelectorAll("#analysis .analyst").length === 2);
  await page.waitForFunction(() => /solved/.test(document.querySelector("#analysis")?.textContent), null, { timeout: 60_000 });
  await page.close();
});

test("a move of the analysis continues a record from the state that is shown", async () => {
  const page = await openPage(browser, `${server.address}#match.json`);
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "0 of 3");
  await page.click("#analysis-panel summary");
  await page.click("#analyse");
  await page.locator("#analysis tbody button").first().click();
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "1 of 1");
  // The analysis goes on with the state that followed.
  await page.waitForFunction(() => /for o/.test(document.querySelector("#analysis h3")?.textContent));
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an analysis that cannot begin says why", async () => {
  const page = await start("tictactoe", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#tree-panel summary");
  await page.getByLabel("Agent that analyses").fill("uct+mastt");
  await page.click("#analyse");
  await page.waitForFunction(() => document.querySelector("#analyse")?.textContent === "Analyse");
  await page.waitForTimeout(300);
  assert.match(await page.textContent("#message"), /mastt/);
  await page.getByLabel("Agent that analyses").fill("uct");
  await page.click("#analyse");
  await page.locator("#tree > div > .tree > li").first().waitFor();
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("two rows of the tree that lead to the same node both show it", async () => {
  const page = await start("both.kif", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#tree-panel summary");
  await page.click("#analyse");
  const row = (text) => page.locator("#tree > div > .tree > li", { has: page.locator("> button", { hasText: text }) });
  await row("b: go").waitFor();
  // Going is plainly the best move of both.
  await page.waitForTimeout(500);
  for (const text of ["a: go", "b: go"]) {
    await row(text).locator("> button").click();
    await row(text).locator("> ul > li").first().waitFor();
  }
  // Closing one of them leaves the other open.
  await row("b: go").locator("> button").click();
  assert.ok((await row("a: go").locator("> ul > li").count()) > 0);
  assert.equal(await row("b: go").locator("> ul").count(), 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the players of the match are named, and those of the form play only when it begins", async () => {
  const page = await openPage(browser, `${server.address}#tictactoe`);
  await page.waitForFunction(() => document.querySelector("#playing")?.textContent === "In this match: x: person, o: person");
  await page.click("#start");
  await page.waitForFunction(() => document.querySelector("#playing")?.textContent === "In this match: x: person, o: uct");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a record that is too large is refused, and the match goes on", async () => {
  const page = await start("tictactoe", ["person", "person"]);
  await page.setInputFiles("#record-file", { name: "large.json", mimeType: "application/json", buffer: Buffer.alloc(5 << 20, " ") });
  await page.waitForFunction(() => /more than 4 MiB/.test(document.querySelector("#message")?.textContent));
  await page.locator(".move-buttons button").first().click();
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "1 of 1");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("an agent is composed of its parts, whatever its files are called", async () => {
  const page = await start("tictactoe", ["person", "champion(net=a+b.net)"]);
  await page.locator(".player button:visible").click();
  const text = page.getByLabel("Agent as text");
  const tick = (name) => page.locator("#composer label", { has: page.locator("b", { hasText: new RegExp(`^${name}$`) }) }).locator("input").click();
  await tick("mast");
  assert.equal(await text.inputValue(), "champion(net=a+b.net)+mast");
  await tick("random");
  assert.equal(await text.inputValue(), "random");
  await tick("uct");
  assert.equal(await text.inputValue(), "uct");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("a record is replayed and stepped through", async () => {
  const page = await openPage(browser, `${server.address}#match.json`);
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "0 of 3");
  await page.click("#forth");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "1 of 3");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "3 of 3");
  await page.click("#facts-panel summary");
  assert.match(await page.textContent("#facts"), /\+ \(cell 1 3 x\)/i);
  await page.click("#history li button");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "1 of 3");
  await page.click("#play-on");
  await page.waitForFunction(() => document.querySelector("#round-of")?.textContent === "1 of 1");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("the playground underlines an error, and plays when it is mended", async () => {
  const page = await openPage(browser, `${server.address}#tictactoe`);
  await page.waitForSelector("#picture svg");
  await page.click("#show-write");
  await page.waitForFunction(() => /can be played/.test(document.querySelector("#verdict")?.textContent));
  const editor = page.locator("#editor .cm-content");
  await editor.click();
  await page.keyboard.press("Control+End");
  await page.keyboard.type("(<= terminal (tru (stones 3)))");
  await page.waitForFunction(() => document.querySelectorAll("#findings li").length > 0);
  await page.waitForSelector("#editor .cm-lintRange");
  // The editor closes brackets as they are typed, so deleting as many characters as were typed
  // need not undo them.
  await page.keyboard.press("Control+a");
  await page.keyboard.insertText(PUZZLE);
  await page.waitForFunction(() => /can be played/.test(document.querySelector("#verdict")?.textContent) && document.querySelectorAll("#findings li.error").length === 0);
  await page.click("#measure");
  await page.waitForFunction(() => /random games/.test(document.querySelector("#measured")?.textContent));
  await page.click("#play-rules");
  await page.waitForSelector(".move-buttons button");
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("opening a game replaces the rules in the editor unless they were changed", async () => {
  const page = await openPage(browser, `${server.address}#tictactoe`);
  await page.waitForSelector("#picture svg");
  await page.click("#show-write");
  const editor = page.locator("#editor .cm-content");
  const open = async (game) => {
    await page.selectOption("#games", game);
    await page.waitForFunction((game) => document.title.startsWith(game), game);
  };
  await page.waitForFunction(() => document.querySelector("#editor").shadowRoot.textContent.includes("mark"));
  const rules = await editor.textContent();
  await open("breakthrough");
  assert.notEqual(await editor.textContent(), rules);
  await editor.click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("; mine");
  await open("hex");
  assert.match(await editor.textContent(), /^; mine/);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("names that look like markup are shown as text", async () => {
  const page = await openPage(browser, `${server.address}#hostile.kif`);
  let alerts = 0;
  page.on("dialog", (dialog) => { alerts += 1; dialog.dismiss(); });
  await page.waitForSelector("#picture svg");
  await page.waitForTimeout(300);
  assert.equal(await page.locator("main script, #picture img, #picture b, [onload], [onerror]").count(), 0);
  assert.match(await page.textContent("#players"), /<script>alert`1`<\/script>/);
  const wide = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth + 1);
  assert.ok(wide, "long names do not widen the page");
  assert.equal(alerts, 0);
  assert.deepEqual(page.errors, []);
  await page.close();
});

test("fifty pages at once in one browser", async () => {
  const context = await browser.newContext();
  const pages = await Promise.all(Array.from({ length: 50 }, async () => {
    const page = await context.newPage();
    await page.goto(`${server.address}#tictactoe`);
    return page;
  }));
  for (const page of pages) {
    // Browsers rarely draw pages in the background.
    await page.bringToFront();
    await page.waitForSelector(".move-buttons button", { timeout: 60_000 });
    await page.locator(".move-buttons button").first().click();
    await page.waitForFunction(() => Number(document.querySelector("#round").value) >= 1);
  }
  await context.close();
});

test("a page that goes away ends its search", async () => {
  const page = await start("breakthrough", ["person", "person"]);
  await page.click("#analysis-panel summary");
  await page.click("#analyse");
  await page.waitForSelector("#analysis tbody tr");
  await page.close();
  await new Promise((done) => setTimeout(done, 1000));
  const used = async () => {
    const { readFile } = await import("node:fs/promises");
    const fields = (await readFile(`/proc/${server.child.pid}/stat`, "utf8")).split(") ")[1].split(" ");
    return Number(fields[11]) + Number(fields[12]);
  };
  const early = await used();
  await new Promise((done) => setTimeout(done, 1000));
  assert.ok((await used()) - early < 20, "the search goes on");
});
