import { el, icon } from '../app/dom.js';

/**
 * The tabs at the bottom of a page.
 *
 * @param {string} label what they are for readers
 * @param {{name: string, icon: string, href: string, isCurrent: boolean}[]} tabs
 */
export function tabBar(label, tabs) {
  return el('nav', { class: 'tab-bar', 'aria-label': label },
    ...tabs.map((tab) => el('a', {
      href: tab.href, 'data-goes': 'beside', 'aria-current': tab.isCurrent ? 'page' : null,
    }, icon(tab.icon), el('span', {}, tab.name))));
}

/** The arrow at the top left: back to the page before, or where there is none to `href`. */
export function backLink(href, name) {
  return el('a', { class: 'bar-link', href, 'data-goes': 'back' }, icon('back'), el('span', {}, name));
}
