import { el, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { backLink } from '../elements/tab-bar.js';

await style('styles/cards.css', 'styles/forms.css', 'settings/settings.css');

/** The base class of the pages below the settings. */
export class SectionPage extends Page {
  main = el('main', { class: 'column settings' });

  /** The page above this one. */
  get back() {
    return { href: to.settings(), name: 'Settings' };
  }

  /** @param {string} title @param {...(Node | string | null | false)} children */
  section(title, ...children) {
    this.classList.add('on-ground');
    this.append(el('header', { class: 'bar' }, backLink(this.back.href, this.back.name), el('h1', { tabindex: -1 }, title)), this.main);
    this.main.append(...children.filter(Boolean));
  }
}
