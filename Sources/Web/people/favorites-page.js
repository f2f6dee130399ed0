import { el, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { MemeShelf } from './meme-shelf.js';

await style('people/people.css');

/** The user's favorite memes, most recently added first. They are private. */
class FavoritesPage extends Page {
  #isOld = false;
  #shelf = new MemeShelf({
    path: '/users/me/favorites', view: 'grid', label: 'Your favorites',
    empty: () => note('favorite', 'No favorites yet', 'Tap the star below a meme to save it here. Only you can see your favorites.'),
  });

  build() {
    this.append(
      el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'Favorites')),
      el('main', {}, this.#shelf));
  }

  connected() {
    this.listen(store, 'meme', ({ detail }) => { this.#isOld ||= detail.kind === 'counts' || detail.kind === 'upsert'; });
  }

  async returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
    if (!this.#isOld) return;
    this.#isOld = false;
    await this.#shelf.refresh();
  }
}

customElements.define('favorites-page', FavoritesPage);
