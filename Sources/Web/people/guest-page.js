import { el, root, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { isForAnybody, to } from '../app/places.js';
import { backLink } from '../elements/tab-bar.js';

await style('styles/forms.css', 'people/guests.css');

/** The base class of the pages for signing in: a card with one form. */
export class GuestPage extends Page {
  /** @param {string} title @param {...(Node | string | null | false)} children */
  card(title, ...children) {
    this.append(
      el('header', { class: 'bar' }, backLink(to.table(), isForAnybody ? 'Sent Memes' : 'Back')),
      el('main', { class: 'guest' },
        el('img', { class: 'guest-mark', src: `${root.pathname}icons/app.svg`, alt: '', width: 64, height: 64 }),
        el('h1', { tabindex: -1 }, title), ...children));
  }
}
