// Plots over time, by uPlot.
import uPlot from "./uplot.js";
import { h } from "./dom.js";

const HEIGHT = 176;
const plots = new Set();

/** The colour that a custom property stands for now, light or dark. */
function resolved(name) {
  const probe = h("span");
  probe.style.color = "var(--" + name + ")";
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

/**
 * A plot of several lines over time.
 *
 * Series: {name, colour, unit: value => text, area}.
 */
export class Plot {
  constructor(label, series, unit) {
    this.series = series;
    this.unit = unit;
    this.element = h("div", { class: "plot", role: "img", "aria-label": label });
    this.data = [[], ...series.map(() => [])];
    this.watch = new ResizeObserver(() => this.fit());
    this.watch.observe(this.element);
    plots.add(this);
  }

  fit() {
    if (!this.element.isConnected) {
      this.watch.disconnect();
      plots.delete(this);
      this.plot?.destroy();
      return;
    }
    const width = this.element.clientWidth;
    if (width === 0) return;
    if (this.plot) this.plot.setSize({ width, height: HEIGHT });
    else this.draw(width);
  }

  draw(width) {
    const axis = { stroke: resolved("soft"), grid: { stroke: resolved("line"), width: 1 }, ticks: { show: false } };
    this.plot = new uPlot({
      width, height: HEIGHT,
      padding: [null, 30, null, null], // The time of the last grid line is centred below it.
      cursor: { y: false, points: { size: 5 } },
      scales: { y: { range: (_, low, high) => [0, high > 0 ? high * 1.1 : 1] } },
      axes: [{ ...axis, values: (_, ticks) => ticks.map(clock) },
        { ...axis, size: 56, values: (_, ticks) => ticks.map(this.unit) }],
      series: [{ label: "Time", value: (_, at) => at == null ? "–" : clock(at) },
        ...this.series.map(one => ({
          label: one.name, stroke: resolved(one.colour), width: 1.5, points: { show: false },
          fill: one.area ? mixed(resolved(one.colour)) : undefined,
          value: (_, value) => value == null ? "–" : this.unit(value)
        }))]
    }, this.data, this.element);
  }

  /** @param data times in seconds, then the values of each series; null = none */
  update(data) {
    this.data = data;
    this.plot?.setData(data);
  }

  redraw() {
    this.plot?.destroy();
    this.plot = null;
    this.fit();
  }
}

/** The same colour, thin: as a canvas understands it. */
const mixed = of => of.replace("rgb(", "rgba(").replace(")", ", 0.14)");

function clock(seconds) {
  const at = new Date(seconds * 1000);
  return [at.getHours(), at.getMinutes(), ...(at.getSeconds() ? [at.getSeconds()] : [])].map(part => String(part).padStart(2, "0")).join(":");
}

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => plots.forEach(plot => plot.redraw()));
