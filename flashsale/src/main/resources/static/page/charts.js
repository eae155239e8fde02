// SPDX-License-Identifier: Apache-2.0
/** Charts of the last two minutes. Colours come from the style sheet, so they follow light and dark. */

const POINTS = 120;
const HEIGHT = 180;

const style = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/**
 * One chart.
 * @param id of its element
 * @param series names and colour variables of its lines
 * @param describe the latest values in a sentence, for who cannot see the lines
 */
export class Chart {
  constructor(id, series, describe) {
    this.element = document.getElementById(id);
    this.series = series;
    this.describe = describe;
    this.clear();
    this.draw();
    new ResizeObserver(() => this.resize()).observe(this.element);
  }

  clear() {
    this.data = [[], ...this.series.map(() => [])];
  }

  add(seconds, values) {
    this.data[0].push(seconds);
    values.forEach((value, i) => this.data[i + 1].push(value ?? null));
    if (this.data[0].length > POINTS) {
      this.data.forEach((column) => column.shift());
    }
    this.plot.setData(this.data);
    this.element.dataset.points = String(this.data[0].length);
    this.element.setAttribute("aria-label", this.describe(values));
  }

  draw() {
    this.plot?.destroy();
    const axis = { stroke: style("--text"), grid: { stroke: style("--line"), width: 1 }, ticks: { stroke: style("--line") } };
    this.plot = new uPlot(
      {
        width: this.width(),
        height: HEIGHT,
        legend: { live: false },
        cursor: { show: false },
        scales: { y: { range: (plot, min, max) => [0, Math.max(1, (max ?? 0) * 1.1)] } },
        axes: [axis, { ...axis, size: 64, values: (plot, ticks) => ticks.map(short) }],
        series: [
          {},
          ...this.series.map((line) => ({
            label: line.name,
            stroke: style(line.colour),
            width: 2,
            dash: line.dash,
            points: { show: false },
          })),
        ],
      },
      this.data,
      this.element,
    );
  }

  resize() {
    this.plot.setSize({ width: this.width(), height: HEIGHT });
  }

  width() {
    return Math.max(200, this.element.clientWidth);
  }
}

function short(value) {
  if (value >= 1e6) {
    return `${+(value / 1e6).toFixed(1)}M`;
  }
  return value >= 1e3 ? `${+(value / 1e3).toFixed(1)}k` : String(+value.toFixed(2));
}
