import { el, icon } from '../app/dom.js';

/**
 * The tabs at the bottom of a page.
 *
 * @param {string} label the accessible name
 * @param {{name: string, icon: string, href: string, isCurrent: boolean}[]} tabs
 */
export function tabBar(label, tabs) {
  return el('nav', { class: 'tab-bar', 'aria-label': label },
    ...tabs.map((tab) => el('a', {
      href: tab.href, 'data-goes': 'beside', 'aria-current': tab.isCurrent ? 'page' : null,
    }, icon(tab.icon), el('span', {}, tab.name))));
}

/** The back link at the top left: to the previous page, or to `href` if there is none. */
export function backLink(href, name) {
  return el('a', { class: 'bar-link', href, 'data-goes': 'back' }, icon('back'), el('span', {}, name));
}
