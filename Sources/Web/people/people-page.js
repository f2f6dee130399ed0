import { el, icon, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { counted } from '../app/words.js';
import { note } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { PersonList } from './person-list.js';

await style('styles/cards.css', 'people/people.css');

/** The delay between the last key press and the search, in milliseconds. */
const pause = 250;

/** Searches for people by the beginnings of their names, while the user types. */
class PeoplePage extends Page {
  #timer = 0;
  #sought = null;
  #field = el('input', {
    class: 'field', type: 'search', maxlength: 50, 'aria-label': 'Name or username', placeholder: 'Name or username',
    autocapitalize: 'none', autocorrect: 'off', spellcheck: 'false', enterkeyhint: 'search', dir: 'auto',
  });
  #found = el('div');
  #told = el('p', { class: 'only-read', role: 'status' });

  build() {
    this.append(
      el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'People')),
      el('main', { class: 'column' },
        el('form', { class: 'search', role: 'search', onsubmit: (event) => this.#submitted(event) }, icon('search'), this.#field),
        this.#told, this.#found));
    this.#field.addEventListener('input', () => {
      clearTimeout(this.#timer);
      this.#timer = setTimeout(() => this.#seek(), pause);
    });
    this.#found.addEventListener('shown', (event) => {
      const { items, isWhole } = event.target;
      this.#told.textContent = items.length === 0 ? 'No one found.' : `${counted(items.length, 'person', 'people')}${isWhole ? '' : ' and more'} found.`;
    });
  }

  connected() {
    // The results depend on the signed-in user.
    this.listen(store, 'person', () => this.#seek(true));
  }

  enter(parameters, query) {
    this.#field.value = query.get('q') ?? '';
    this.#seek();
  }

  #submitted(event) {
    event.preventDefault();
    clearTimeout(this.#timer);
    this.#seek();
  }

  #seek(isAgain = false) {
    const sought = this.#field.value.trim();
    if (sought === this.#sought && !isAgain) return;
    this.#sought = sought;
    // The search survives a reload and a return to this page.
    if (this.isShown) history.replaceState(history.state, '', to.people(sought));
    this.#told.textContent = '';
    // The server accepts only the beginning of a name, which has letters or digits.
    const canBeName = /[\p{L}\p{N}_]/u.test(sought);
    this.#found.replaceChildren(canBeName
      ? new PersonList('/users', { query: { q: sought }, empty: () => note('friends', 'No one found', `No one matches “${sought}”.`) })
      : note('friends', sought ? 'No one found' : 'Search for people', 'Type the start of a name.'));
  }
}

customElements.define('people-page', PeoplePage);
