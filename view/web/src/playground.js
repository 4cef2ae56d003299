// The editor of rules: every change is checked, and what passes can be played.

import { basicSetup, EditorView } from "codemirror";
import { StreamLanguage } from "@codemirror/language";
import { setDiagnostics, lintGutter } from "@codemirror/lint";
import { byId, element, replaceContent } from "./dom.js";

const KEYWORDS = new Set(["role", "init", "true", "does", "next", "legal", "goal", "terminal", "base", "input", "distinct", "not", "or", "and", "<="]);

// Rule sheets as the editor colours them.
const kif = StreamLanguage.define({
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^;.*/)) return "comment";
    if (stream.match(/^[()]/)) return "bracket";
    if (stream.match(/^\?[^\s();]+/)) return "variableName";
    const word = stream.match(/^[^\s();]+/);
    if (!word) { stream.next(); return null; }
    if (KEYWORDS.has(word[0].toLowerCase())) return "keyword";
    return /^\d+$/.test(word[0]) ? "number" : null;
  },
  languageData: { commentTokens: { line: ";" } },
});

// A game to begin with.
const EXAMPLE = `; Players take one or two stones in turn. Who takes the last one wins.
(role first)
(role second)

(init (stones 7))
(init (control first))

(less 1 7 6) (less 1 6 5) (less 1 5 4) (less 1 4 3) (less 1 3 2) (less 1 2 1) (less 1 1 0)
(less 2 7 5) (less 2 6 4) (less 2 5 3) (less 2 4 2) (less 2 3 1) (less 2 2 0)
(other first second)
(other second first)

(<= (legal ?player (take ?count))
    (true (control ?player))
    (true (stones ?stones))
    (less ?count ?stones ?left))
(<= (legal ?player wait)
    (other ?player ?opponent)
    (true (control ?opponent)))

(<= (next (stones ?left))
    (true (stones ?stones))
    (does ?player (take ?count))
    (less ?count ?stones ?left))
(<= (next (control ?opponent))
    (true (control ?player))
    (other ?player ?opponent))

(<= terminal
    (true (stones 0)))
(<= (goal ?player 0)
    (true (control ?player)))
(<= (goal ?player 100)
    (other ?player ?opponent)
    (true (control ?opponent)))
`;

export class Playground {
  constructor(connection) {
    this.connection = connection;
    this.version = 0;
    // The text before anybody has changed it.
    this.loaded = EXAMPLE;
    byId("play-rules").addEventListener("click", () => connection.send({ do: "open_text", text: this.text() }));
    byId("measure").addEventListener("click", () => {
      connection.send({ do: "open_text", text: this.text() });
      connection.send({ do: "measure" });
    });
    connection.on("findings", (event) => this.showFindings(event));
    connection.on("measured", (event) => this.showMeasured(event));
  }

  // The editor is made when it is first looked at. It lives in a shadow root, where its
  // styles may be constructed under the page's policy.
  open() {
    if (this.view) return;
    const root = byId("editor").attachShadow({ mode: "open" });
    const parent = document.createElement("div");
    root.append(parent);
    this.view = new EditorView({
      doc: this.loaded,
      root,
      parent,
      extensions: [
        basicSetup, kif, lintGutter(),
        EditorView.contentAttributes.of({ "aria-label": "Rules" }),
        EditorView.theme({ "&": { height: "75vh" }, ".cm-scroller": { overflow: "auto" } }),
        EditorView.updateListener.of((update) => update.docChanged && this.check()),
      ],
    });
    // The editor has its own line ends.
    this.loaded = this.text();
    this.check();
  }

  text() {
    return this.view ? this.view.state.doc.toString() : "";
  }

  // Shows the rules of a game, unless somebody has written something else.
  load(text) {
    if (this.text().trim() && this.text() !== this.loaded) return;
    this.loaded = text;
    if (!this.view) return;
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
    this.loaded = this.text();
  }

  // Asks for the findings in the text. While an answer is pending, nothing more is asked; once it
  // arrives, the text as it is then is checked, since typing can be faster than checking.
  check() {
    this.version += 1;
    if (this.asked === undefined) this.ask();
  }

  ask() {
    const sent = this.connection.send({ do: "check", text: this.text(), version: this.version });
    if (sent) this.asked = this.version;
  }

  showFindings(event) {
    this.asked = undefined;
    if (event.version !== this.version) return this.ask();
    byId("verdict").textContent = event.playable ? "These rules can be played." : "These rules have errors.";
    byId("play-rules").disabled = !event.playable;
    byId("measure").disabled = !event.playable;
    const length = this.view.state.doc.length;
    const diagnostics = event.findings.map(({ from, to, severity, message, notes }) => ({
      from: Math.min(from, length), to: Math.min(to, length), severity, message: [message, ...notes].join("\n"),
    }));
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
    const rows = event.findings.slice(0, 200).map((finding) =>
      element("li", { class: finding.severity },
        element("button", { type: "button", class: "link", onclick: () => this.select(finding) }, `${finding.severity}: ${finding.message}`),
        ...finding.notes.map((note) => element("p", {}, note))));
    replaceContent(byId("findings"), ...rows);
  }

  select({ from, to }) {
    const length = this.view.state.doc.length;
    this.view.dispatch({ selection: { anchor: Math.min(from, length), head: Math.min(to, length) }, scrollIntoView: true });
    this.view.focus();
  }

  showMeasured(games) {
    const lengths = Object.entries(games.lengths).map(([length, count]) => [Number(length), count]);
    const total = lengths.reduce((sum, [, count]) => sum + count, 0);
    const mean = lengths.reduce((sum, [length, count]) => sum + length * count, 0) / Math.max(1, total);
    const goals = games.goals.map((counts, role) => {
      const parts = Object.entries(counts).map(([goal, count]) => `${goal} in ${((100 * count) / Math.max(1, games.games)).toFixed(1)} %`);
      return element("li", {}, `${this.roles?.[role] ?? `role ${role + 1}`}: ${parts.join(", ") || "no goal"}`);
    });
    replaceContent(byId("measured"),
      element("h3", {}, `${games.games} random games, ${games.unfinished} without an end`),
      element("p", {}, total ? `${Math.min(...lengths.map(([length]) => length))} to ${Math.max(...lengths.map(([length]) => length))} rounds, ${mean.toFixed(1)} on average` : ""),
      element("ul", {}, ...goals),
      element("p", {}, games.never_legal_count ? `Never legal: ${games.never_legal_count} moves: ${games.never_legal.join(", ")}` : "Every move was legal at some time."));
  }
}
