import { el } from '../app/dom.js';

/**
 * A card with a chart, a summary in one sentence, and a table with all numbers.
 *
 * @param {{title: string, summary: string, plot: HTMLElement | false, columns: string[], rows: string[][]}} facts
 */
export function plotCard({ title, summary, plot, columns, rows }) {
  return el('section', { class: 'card plot-card' },
    el('h2', {}, title), el('p', { class: 'is-quiet' }, summary), plot,
    rows.length > 0 && el('details', {}, el('summary', {}, 'Show as table'),
      el('div', { class: 'plot-table' }, el('table', {},
        el('caption', { class: 'only-read' }, `${title}: ${summary}`),
        el('thead', {}, el('tr', {}, ...columns.map((name) => el('th', { scope: 'col' }, name)))),
        el('tbody', {}, ...rows.map(([name, ...values]) => el('tr', {},
          el('th', { scope: 'row' }, name), ...values.map((value) => el('td', {}, value)))))))));
}
