// Starts `gdl view` and a browser for the tests.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

export const PROGRAM = process.env.GDL ?? new URL("../../../target/release/gdl", import.meta.url).pathname;
const BROWSER = process.env.CHROMIUM ?? "/usr/bin/chromium";

// The page's server with these arguments; `stop` ends it.
export async function startServer(...args) {
  const child = spawn(PROGRAM, ["view", "--no-open", ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const [address] = await once(createInterface(child.stdout), "line");
  return { address, child, stop: () => child.kill() };
}

// A command that shows what it plays, in this folder: its process, what it has printed so far, the
// address of its page, and its exit code once it ends.
export async function startLive(folder, ...args) {
  const child = spawn(PROGRAM, [...args, "--view", "--no-open"], { cwd: folder });
  const run = { child, output: "", done: once(child, "close").then(([code]) => code) };
  child.stdout.on("data", (text) => (run.output += text));
  run.address = await addressIn(child.stderr, /^live at (http:\S+)/);
  return run;
}

// The address in the first line of this pattern.
export function addressIn(stream, pattern) {
  return new Promise((found, failed) => {
    const lines = createInterface(stream);
    lines.on("line", (line) => pattern.test(line) && found(pattern.exec(line)[1]));
    lines.on("close", () => failed(new Error("no address came")));
  });
}

export async function startBrowser() {
  return chromium.launch({
    executablePath: BROWSER,
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });
}

// A page whose errors fail the test that looks at them.
export async function openPage(browser, address) {
  const page = await browser.newPage();
  page.errors = [];
  page.on("pageerror", (error) => page.errors.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.errors.push(message.text()));
  await page.goto(address);
  return page;
}
