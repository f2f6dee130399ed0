import { el, icon } from '../app/dom.js';

/**
 * A card of rows, each a link or a button.
 *
 * @param {...{name: string, icon: string, href?: string, run?: () => void, value?: string, hint?: string,
 *   isDangerous?: boolean, badge?: {text: string, label: string} | false}} items
 *   value: the current setting; hint: a line below the name
 */
export function menu(...items) {
  return el('ul', { class: 'card menu', role: 'list' }, ...items.map((item) => el('li', {}, row(item))));
}

function row({ name, icon: symbol, href, run, value, hint, isDangerous, badge }) {
  const kind = isDangerous ? 'menu-row is-danger' : 'menu-row';
  const children = [
    icon(symbol),
    el('span', { class: 'menu-words' }, el('span', {}, name), hint && el('span', { class: 'menu-hint' }, hint)),
    value && el('span', { class: 'menu-value', dir: 'auto' }, value),
    badge && el('span', { class: 'badge' }, el('span', { 'aria-hidden': 'true' }, badge.text), el('span', { class: 'only-read' }, badge.label)),
    href && icon('forward'),
  ];
  return href ? el('a', { class: kind, href }, ...children) : el('button', { type: 'button', class: kind, onclick: run }, ...children);
}
