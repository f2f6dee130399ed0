import { el, icon, style } from '../app/dom.js';
import { tellRefreshed } from '../app/memes.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { MemeShelf } from './meme-shelf.js';

await style('people/people.css');

/** The memes of the people that the user follows, and the user's own, newest first. */
class FeedPage extends Page {
  #shelf = new MemeShelf({
    path: '/feed', view: 'table', label: 'Memes from people you follow',
    takes: (meme) => meme.author?.username === store.get('person')?.username,
    empty: () => note('feed', 'Nothing here yet', 'Memes from people you follow show up here.',
      el('a', { href: to.people(), class: 'button is-main' }, 'Find people')),
  });

  build() {
    this.append(
      el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'Feed'),
        el('div', { class: 'bar-actions' }, el('button', {
          type: 'button', class: 'icon-button', 'aria-label': 'Refresh', onclick: () => this.#refresh(),
        }, icon('refresh')))),
      el('main', {}, this.#shelf));
  }

  returned(focused) {
    this.#shelf.returned();
    super.returned(focused);
  }

  async #refresh() {
    window.scrollTo({ top: 0 });
    tellRefreshed(await this.#shelf.refresh());
  }
}

customElements.define('feed-page', FeedPage);
