import { el } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { backLink } from './tab-bar.js';

/** The page for an unknown address within the app. */
class MissingPage extends Page {
  build() {
    this.append(
      el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes')),
      el('main', { class: 'note' }, el('h1', { tabindex: -1 }, 'Page not found'),
        el('p', {}, 'The link may be old or mistyped.')));
  }
}

customElements.define('missing-page', MissingPage);
