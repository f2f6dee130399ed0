import { Part } from '../app/part.js';
import { svg } from './svg.js';

/** In pixels: the least distance between the centers of labeled bars, and the margins of the plot. */
const labelWidth = 76;
const edges = { top: 12, right: 8, bottom: 24 };
const height = 200;

/**
 * A bar chart that fills its parent's width. The pointer shows the text of a bar; screen readers use the table below.
 *
 * `bars` are `{label, value, says}`; `name` describes the whole chart.
 */
class BarPlot extends Part {
  bars = [];
  name = '';
  #width = 0;

  connected() {
    const observer = new ResizeObserver(() => this.#draw());
    observer.observe(this);
    this.lifetime.addEventListener('abort', () => observer.disconnect());
    this.#draw();
  }

  #draw() {
    if (this.clientWidth === 0 || this.clientWidth === this.#width) return;
    this.#width = this.clientWidth;
    const ticks = ticksTo(Math.max(1, ...this.bars.map(({ value }) => value)));
    const left = 14 + 7.5 * Math.max(...ticks.map((tick) => tick.toLocaleString('en').length));
    const [plotWidth, plotHeight] = [this.#width - left - edges.right, height - edges.top - edges.bottom];
    const y = (value) => edges.top + plotHeight * (1 - value / ticks.at(-1));
    const step = plotWidth / this.bars.length;
    const picture = svg('svg', {
      class: 'plot', role: 'img', 'aria-label': this.name, viewBox: `0 0 ${this.#width} ${height}`, width: this.#width, height,
    });
    for (const tick of ticks) {
      picture.append(
        svg('line', { class: 'plot-line', x1: left, x2: this.#width - edges.right, y1: y(tick), y2: y(tick) }),
        svg('text', { class: 'plot-tick', x: left - 8, y: y(tick), 'text-anchor': 'end', 'dominant-baseline': 'middle' }, tick.toLocaleString('en')));
    }
    const every = Math.ceil(labelWidth / step);
    for (const [index, { label, value, says }] of this.bars.entries()) {
      const [x, width] = [left + index * step, Math.min(40, step * 0.72)];
      const top = value === 0 ? y(0) : Math.min(y(value), y(0) - 2);
      picture.append(svg('g', { class: 'plot-column' },
        // The whole column reacts to the pointer.
        svg('rect', { class: 'plot-place', x, y: edges.top, width: step, height: plotHeight }),
        svg('rect', { class: 'plot-bar', x: x + (step - width) / 2, y: top, width, height: y(0) - top, rx: Math.min(3, width / 4) }),
        svg('title', {}, `${label}: ${says}`)));
      // Labels count from the last bar, because it is the most important one.
      if ((this.bars.length - 1 - index) % every === 0) picture.append(this.#label(label, x + step / 2, index));
    }
    this.replaceChildren(picture);
  }

  #label(text, x, index) {
    const isLast = index === this.bars.length - 1 && this.bars.length > 8;
    return svg('text', {
      class: 'plot-tick', x: isLast ? this.#width - edges.right : x, y: height - 6, 'text-anchor': isLast ? 'end' : 'middle',
    }, text);
  }
}

/** Whole numbers from 0 to at least `most`, in even steps of 1, 2 or 5 times a power of ten. */
function ticksTo(most) {
  const rough = Math.max(1, most / 4);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((each) => each >= rough);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}

customElements.define('bar-plot', BarPlot);
