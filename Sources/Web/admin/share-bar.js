import { el } from '../app/dom.js';
import { svg } from './svg.js';

/**
 * A bar that is divided into parts, with a legend. A part that is not zero is always wide enough to be visible.
 *
 * @param {{name: string, value: number, says: string}[]} parts
 * @param {string} name describes the whole bar
 */
export function shareBar(parts, name) {
  const sum = parts.reduce((total, { value }) => total + value, 0);
  const shown = parts.filter(({ value }) => value > 0);
  const widths = shown.map(({ value }) => Math.max(1, 100 * value / sum));
  const scale = 100 / widths.reduce((total, width) => total + width, 0);
  let x = 0;
  const bar = svg('svg', { class: 'share', role: 'img', 'aria-label': name, viewBox: '0 0 100 8', preserveAspectRatio: 'none' });
  for (const [index, part] of shown.entries()) {
    const width = widths[index] * scale;
    bar.append(svg('rect', { class: `share-${parts.indexOf(part)}`, x, y: 0, width: Math.max(0.2, width - 0.4), height: 8 },
      svg('title', {}, `${part.name}: ${part.says}`)));
    x += width;
  }
  return el('div', {}, bar, el('ul', { class: 'share-names', role: 'list' }, ...parts.map((part, index) => el('li', {},
    svg('svg', { class: 'share-key', viewBox: '0 0 10 10', 'aria-hidden': 'true' }, svg('rect', { class: `share-${index}`, width: 10, height: 10, rx: 2 })),
    el('span', {}, part.name), el('span', { class: 'is-quiet' }, part.says)))));
}
