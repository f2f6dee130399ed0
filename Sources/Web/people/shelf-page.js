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
  /** @type {MemeShelf | null} */
  #shelf = null;

  build() {
    this.append(this.#header, this.#main);
  }

  connected() {
    // The user's account determines which memes they can see.
    this.listen(store, 'person', () => this.#shelf?.refresh());
  }

  /**
   * @param {string} title
   * @param {{href: string, name: string}} back the page that the back link opens
   * @param {object} facts of the {@link MemeShelf}, except its view
   */
  show(title, back, facts) {
    this.#heading.textContent = title;
    this.#header.replaceChildren(backLink(back.href, back.name), this.#heading);
    this.#shelf = new MemeShelf({ ...facts, view: 'grid' });
    this.#main.replaceChildren(this.#shelf);
    this.renamed();
  }

  returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
  }
}
