// Bundles the page into `dist`, which is committed, so that cargo needs no npm. With
// `--check` nothing is written: it fails if `dist` is out of date.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: { page: "src/main.js", live: "src/live.js", replay: "src/replay.js" },
  outdir: "dist",
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "eof",
  target: ["chrome115", "firefox115", "safari17"],
  charset: "utf8",
  write: false,
});
const bundled = new Map(outputFiles.map((file) => [file.path.split("/").pop(), file.text]));

// What pages share, and what a replay needs to be one file: its script and its style are part
// of it. What differs from match to match is put in by `gdl view`.
const parts = {
  "@STEPS@": (await readFile("src/steps.html", "utf8")).trimEnd(),
  "@STYLE@": bundled.get("replay.css"),
  "@SCRIPT@": bundled.get("replay.js"),
};
const page = async (name) => (await readFile(`src/${name}`, "utf8")).replace(/@STEPS@|@STYLE@|@SCRIPT@/g, (mark) => parts[mark]);

const files = [
  ["index.html", await page("index.html")],
  ["live.html", await page("live.html")],
  ["replay.html", await page("replay.html")],
  ["page.js", bundled.get("page.js")],
  ["live.js", bundled.get("live.js")],
  ["page.css", bundled.get("page.css")],
];

let stale = false;
await mkdir("dist", { recursive: true });
for (const [name, contents] of files) {
  const path = `dist/${name}`;
  if (process.argv.includes("--check")) {
    const committed = await readFile(path, "utf8").catch(() => "");
    if (committed !== contents) {
      console.error(`${path} is out of date: run npm ci && npm run build`);
      stale = true;
    }
  } else {
    await writeFile(path, contents);
  }
}
process.exit(stale ? 1 : 0);
