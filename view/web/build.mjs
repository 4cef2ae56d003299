// Bundles the page into `dist`, which is committed, so that cargo needs no npm. With
// `--check` nothing is written: it fails if `dist` is not what the sources give.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { build } from "esbuild";

const { outputFiles } = await build({
  entryPoints: { page: "src/main.js", replay: "src/replay.js" },
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

// A replay is one file: its script and its style are part of it. What differs from match to
// match is put in by `gdl view`.
const parts = { "@STYLE@": bundled.get("replay.css"), "@SCRIPT@": bundled.get("replay.js") };
const skeleton = await readFile("src/replay.html", "utf8");
const replay = skeleton.replace(/@STYLE@|@SCRIPT@/g, (mark) => parts[mark]);

const files = [
  ["index.html", await readFile("src/index.html", "utf8")],
  ["page.js", bundled.get("page.js")],
  ["page.css", bundled.get("page.css")],
  ["replay.html", replay],
];

let stale = false;
await mkdir("dist", { recursive: true });
for (const [name, contents] of files) {
  const path = `dist/${name}`;
  if (process.argv.includes("--check")) {
    const committed = await readFile(path, "utf8").catch(() => "");
    if (committed !== contents) {
      console.error(`${path} is not what the sources give: npm ci && npm run build`);
      stale = true;
    }
  } else {
    await writeFile(path, contents);
  }
}
process.exit(stale ? 1 : 0);
