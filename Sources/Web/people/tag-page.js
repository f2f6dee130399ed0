import { el, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { MemeShelf } from './meme-shelf.js';

await style('people/people.css');

/** The memes with a tag, newest first. */
class TagPage extends Page {
  #heading = el('h1', { tabindex: -1, dir: 'auto' });
  #main = el('main');
  #shelf = null;

  build() {
    this.append(el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes'), this.#heading), this.#main);
  }

  connected() {
    // The user's account determines which memes they can see.
    this.listen(store, 'person', () => this.#shelf?.refresh());
  }

  enter({ tag }) {
    this.#heading.textContent = `#${tag}`;
    this.#shelf = new MemeShelf({
      path: '/memes', query: { tag }, view: 'grid', label: `Memes tagged ${tag}`,
      empty: () => note('search', 'No memes', 'You can see no memes with this tag.'),
    });
    this.#main.replaceChildren(this.#shelf);
    this.renamed();
  }

  returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
  }
}

customElements.define('tag-page', TagPage);
