import { el, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { store } from '../app/store.js';
import { backLink } from '../elements/tab-bar.js';
import { MemeShelf } from './meme-shelf.js';

await style('people/people.css');

/** The base class of pages with one list of memes, as a grid. */
export class ShelfPage extends Page {
  #header = el('header', { class: 'bar' });
  #heading = el('h1', { tabindex: -1, dir: 'auto' });
  #main = el('main');
  #facts = null;
  /** @type {MemeShelf | null} */
  #shelf = null;

  build() {
    this.append(this.#header, this.#main);
  }

  connected() {
    let username = store.get('person')?.username;
    this.listen(store, 'person', () => {
      if (store.get('person')?.username === username) return;
      username = store.get('person')?.username;
      // The user's account determines which memes they can see. A refresh would keep those after the first page.
      if (this.#shelf) this.#begin();
    });
  }

  /**
   * @param {string} title
   * @param {{href: string, name: string}} back the page that the back link opens
   * @param {object} facts of the {@link MemeShelf}, except its view
   */
  show(title, back, facts) {
    this.#heading.textContent = title;
    this.#header.replaceChildren(backLink(back.href, back.name), this.#heading);
    this.#facts = facts;
    this.#begin();
    this.renamed();
  }

  #begin() {
    this.#shelf = new MemeShelf({ ...this.#facts, view: 'grid' });
    this.#main.replaceChildren(this.#shelf);
  }

  returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
  }
}
