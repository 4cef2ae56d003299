// The values of the states of a match, one line per role.

import uPlot from "uplot";
import "uplot/dist/uPlot.min.css";

const COLORS = ["#c0392b", "#2471a3", "#1e8449", "#b9770e", "#7d3c98", "#117a65"];

export class Graph {
  constructor(parent, goTo) {
    this.parent = parent;
    this.goTo = goTo;
  }

  show(values, roles, shown) {
    const xs = values.map((_, round) => round);
    const lines = roles.map((_, role) => values.map((state) => state[role] ?? null));
    const isKnown = lines.some((line) => line.filter((value) => value !== null).length > 1);
    this.parent.hidden = !isKnown;
    if (!isKnown) return;
    this.shown = shown;
    const key = roles.join(" ");
    if (this.key !== key || !this.plot) this.create(roles, key);
    this.plot.setData([xs, ...lines]);
  }

  create(roles, key) {
    this.plot?.destroy();
    this.key = key;
    const series = roles.map((label, role) => ({ label, stroke: COLORS[role % COLORS.length], width: 2, spanGaps: true, points: { size: 5 } }));
    const mark = (plot) => {
      const x = plot.valToPos(this.shown, "x", true);
      plot.ctx.save();
      plot.ctx.strokeStyle = "#888";
      plot.ctx.beginPath();
      plot.ctx.moveTo(x, plot.bbox.top);
      plot.ctx.lineTo(x, plot.bbox.top + plot.bbox.height);
      plot.ctx.stroke();
      plot.ctx.restore();
    };
    const text = getComputedStyle(document.body).color;
    const axis = { stroke: text, grid: { stroke: "#8883" } };
    this.plot = new uPlot({
      width: Math.max(240, this.parent.clientWidth || 360),
      height: 160,
      scales: { x: { time: false }, y: { range: [0, 100] } },
      axes: [axis, axis],
      series: [{ label: "round" }, ...series],
      hooks: { draw: [mark] },
      cursor: { drag: { x: false, y: false } },
    }, [[], ...roles.map(() => [])], this.parent);
    this.plot.over.addEventListener("click", () => {
      if (this.plot.cursor.idx !== null) this.goTo(this.plot.cursor.idx);
    });
  }
}
