// The search tree of an analysing agent, to be explored.

import { element, replaceContent } from "./dom.js";
import { plain } from "./moves.js";
import { compact } from "./numbers.js";

// The maximum number of open nodes that the server accepts.
const MOST_OPEN = 32;

export class Tree {
  constructor(details, parent, send) {
    this.details = details;
    this.parent = parent;
    this.send = send;
    this.list = element("div");
    this.agent = element("select", { "aria-label": "Agent whose tree is shown", onchange: () => this.begin() });
    parent.append(this.list);
    this.close();
    details.addEventListener("toggle", () => this.ask());
  }

  // Closes all nodes but the root: another state is shown, or another agent searches.
  close() {
    const root = this.node([]);
    this.nodes = new Set([root]);
    replaceContent(this.list, root.list);
  }

  // Tells the server which nodes are open, if a search is running.
  ask() {
    if (!this.searching) return;
    // Where roles choose at once, the best moves of two of them lead to the same node.
    const paths = new Map([...this.nodes].map(({ key, path }) => [key, path]));
    const open = this.details.open ? [...paths.values()] : [];
    this.send({ do: "tree", index: this.index(), open });
  }

  // Where several agents analyse, one of them can be chosen.
  choose(agents) {
    replaceContent(this.agent, ...agents.map((agent, index) => element("option", { value: index }, agent)));
    if (agents.length > 1) this.parent.prepend(this.agent);
    else this.agent.remove();
  }

  index() {
    return Math.max(this.agent.selectedIndex, 0);
  }

  begin() {
    this.searching = true;
    this.close();
    if (this.details.open) this.ask();
  }

  end() {
    this.searching = false;
  }

  node(path) {
    return { path, key: JSON.stringify(path), list: element("ul", { class: "tree" }), rows: new Map() };
  }

  show({ index, nodes }, roles) {
    if (index !== this.index()) return;
    for (const { path, roles: choices, goals } of nodes) {
      const same = [...this.nodes].filter((node) => node.key === JSON.stringify(path));
      for (const node of same) this.fill(node, choices, goals, roles);
    }
  }

  // Rows keep their elements, so that clicks and the focus survive updates.
  fill(node, choices, goals, roles) {
    const isEnd = goals.length > 0;
    const order = choices.flatMap((choice) => choice.moves.map((move) => this.row(node, choice, move, choices, roles)));
    const text = isEnd ? `over: ${goals.map((goal, role) => `${roles[role]} ${goal}`).join(", ")}` : order.length === 0 ? "not searched" : "";
    node.said ??= element("li", { class: "effort" });
    node.said.textContent = text;
    const wanted = text ? [node.said, ...order] : order;
    if (wanted.some((row, place) => node.list.children[place] !== row) || node.list.children.length !== wanted.length) {
      node.list.replaceChildren(...wanted);
    }
  }

  row(node, choice, move, choices, roles) {
    const key = `${choice.role}.${move.index}`;
    if (!node.rows.has(key)) {
      const button = element("button", { type: "button", class: "link", "aria-expanded": "false" });
      const figures = element("span", { class: "figures" });
      node.rows.set(key, { button, figures, item: element("li", {}, button, figures) });
      // Where several roles choose at once, the others make their best known moves.
      button.addEventListener("click", () => this.toggle(node, key, joint(choice.role, move.index, node.choices, roles.length)));
    }
    node.choices = choices;
    const { button, figures, item } = node.rows.get(key);
    const who = choices.length > 1 ? `${roles[choice.role]}: ` : "";
    button.textContent = `${who}${plain(move.text)}`;
    figures.textContent = ` ${move.value.toFixed(1)}${move.proven ? " proven" : ""}, ${compact(move.visits)} visits`;
    item.classList.toggle("proven", move.proven);
    return item;
  }

  toggle(node, key, indices) {
    const row = node.rows.get(key);
    if (row.child) {
      this.forget(row.child);
      row.child = undefined;
    } else if (this.nodes.size < MOST_OPEN && node.path.length < MOST_OPEN) {
      row.child = this.node([...node.path, indices]);
      this.nodes.add(row.child);
      row.item.append(row.child.list);
    }
    row.button.setAttribute("aria-expanded", Boolean(row.child));
    this.ask();
  }

  forget(node) {
    for (const { child } of node.rows.values()) if (child) this.forget(child);
    this.nodes.delete(node);
    node.list.remove();
  }
}

// A joint move: this one of a role, and the best known ones of the others.
function joint(role, index, choices, count) {
  const best = (other) => choices.find((choice) => choice.role === other)?.moves[0]?.index ?? 0;
  return Array.from({ length: count }, (_, other) => (other === role ? index : best(other)));
}
