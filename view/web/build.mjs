// Bundles the page into `dist`, which is committed, so that cargo needs no npm. With
// `--check` nothing is written: it fails if `dist` is not what the sources give.
import { readFile, writeFile, mkdir } from "node:fs/promises";
import { build } from "esbuild";

const result = await build({
  entryPoints: { page: "src/main.js" },
  outdir: "dist",
  bundle: true,
  format: "esm",
  minify: true,
  legalComments: "eof",
  target: ["chrome115", "firefox115", "safari17"],
  charset: "utf8",
  write: false,
});
const files = result.outputFiles.map((file) => [file.path.split("/").pop(), file.contents]);
files.push(["index.html", await readFile("src/index.html")]);

let stale = false;
await mkdir("dist", { recursive: true });
for (const [name, contents] of files) {
  const path = `dist/${name}`;
  if (process.argv.includes("--check")) {
    const committed = await readFile(path).catch(() => Buffer.alloc(0));
    if (!committed.equals(Buffer.from(contents))) {
      console.error(`${path} is not what the sources give: npm ci && npm run build`);
      stale = true;
    }
  } else {
    await writeFile(path, contents);
  }
}
process.exit(stale ? 1 : 0);
