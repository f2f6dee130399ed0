import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { memeCell } from '../sent/meme-cell.js';

/** The newest remixes of a meme, with a link to all of them. Hidden if there are none. */
class MemeRemixes extends Part {
  #id = '';
  /** Counts requests. A response that is not from the latest request is dropped. */
  #asked = 0;
  #heading = el('h2', {}, 'Remixes');
  #list = el('ul', { class: 'remixes', 'aria-label': 'Remixes', role: 'list' });
  #rest = el('div');

  build() {
    this.hidden = true;
    this.append(this.#heading, this.#list, this.#rest);
  }

  connected() {
    // The user's account determines which remixes they can see.
    this.listen(store, 'person', () => this.#ask());
    this.listen(store, 'meme', ({ detail }) => this.#happened(detail));
  }

  /** Shows the remixes of a meme. Requests them if it is another meme than before. */
  show({ id }) {
    if (this.#id === id) return;
    this.#id = id;
    this.hidden = true;
    this.#ask();
  }

  async #ask() {
    if (!this.#id) return;
    const asked = ++this.#asked;
    let page;
    try {
      page = await api.get(`/memes/${encodeURIComponent(this.#id)}/remixes`, { query: { view: 'grid', limit: 6 } });
    } catch (error) {
      // The page of the meme is useful without them. A server that was unreachable is asked again.
      if (error.status === 0) {
        store.addEventListener('isReached', () => asked === this.#asked && this.#ask(), { once: true, signal: this.lifetime });
      }
      return;
    }
    if (asked !== this.#asked) return;
    this.#list.replaceChildren(...page.items.map(memeCell));
    this.#list.hidden = page.items.length === 0;
    // A page may be empty although the list goes on.
    this.#rest.replaceChildren(...(page.nextCursor
      ? [el('a', { class: 'remixes-all', href: to.remixes(this.#id) }, 'All remixes')] : []));
    this.hidden = page.items.length === 0 && !page.nextCursor;
  }

  #happened({ kind, id, meme }) {
    if (kind === 'hide' || kind === 'delete') {
      this.#list.querySelector(`a[href="${CSS.escape(to.meme(id))}"]`)?.closest('li').remove();
      if (!this.#list.querySelector('li')) this.hidden = !this.#rest.querySelector('a');
    } else if (kind === 'show' || kind === 'people' || meme?.remixOf === this.#id) {
      this.#ask();
    }
  }
}

customElements.define('meme-remixes', MemeRemixes);
