import { el, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { MemeShelf } from '../people/meme-shelf.js';

await style('people/people.css');

/** The memes with the picture of a meme, newest first. */
class RemixesPage extends Page {
  #header = el('header', { class: 'bar' });
  #heading = el('h1', { tabindex: -1 }, 'Remixes');
  #main = el('main');
  #shelf = null;

  build() {
    this.append(this.#header, this.#main);
  }

  connected() {
    // The user's account determines which remixes they can see.
    this.listen(store, 'person', () => this.#shelf?.refresh());
  }

  enter({ id }) {
    this.#header.replaceChildren(backLink(to.meme(id), 'Meme'), this.#heading);
    this.#shelf = new MemeShelf({
      path: `/memes/${encodeURIComponent(id)}/remixes`, view: 'grid', label: 'Remixes',
      empty: () => note('meme', 'No remixes', 'You can see no memes with the picture of this one.'),
    });
    this.#main.replaceChildren(this.#shelf);
  }

  returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
  }
}

customElements.define('remixes-page', RemixesPage);
