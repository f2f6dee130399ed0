import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { store } from '../app/store.js';
import { problemNote } from '../elements/problem-note.js';
import { personRow } from './person-row.js';

/** A paged list of people. It loads the next page near its end. A `shown` event reports a loaded page. */
export class PersonList extends Part {
  #path;
  #query;
  #empty;
  #does;
  #items = [];
  #cursor = null;
  #isAsking = false;
  #asking = new AbortController();
  /** Loads the next page when the end of the list comes into view. */
  #observer = new IntersectionObserver(
    (entries) => entries.at(-1).isIntersecting && this.#cursor && this.#more(), { rootMargin: '600px' });
  #list = el('ul', { class: 'people', role: 'list' });
  #rest = el('div', { class: 'people-rest' });

  /**
   * @param {string} path such as `/users/me/friends`
   * @param {{query?: object, empty: () => Node, does?: (profile: object) => Node}} facts
   *   empty: the note for an empty list, does: the button of each person
   */
  constructor(path, { query = {}, empty, does }) {
    super();
    [this.#path, this.#query, this.#empty, this.#does] = [path, query, empty, does];
  }

  build() {
    this.append(this.#list, this.#rest);
    this.#more();
  }

  connected() {
    this.listen(store, 'meme', ({ detail }) => detail.kind === 'people' && detail.hidden && this.remove(detail.hidden));
    this.#observer.observe(this.#rest);
    this.lifetime.addEventListener('abort', () => {
      this.#observer.disconnect();
      this.#asking.abort();
    });
  }

  get items() {
    return this.#items;
  }

  /** Whether the list is loaded to its end. */
  get isWhole() {
    return this.#cursor === null && !this.#isAsking;
  }

  /** Removes a person from the list. */
  remove(username) {
    this.#items = this.#items.filter((each) => each.username !== username);
    this.#list.querySelector(`[data-username="${CSS.escape(username)}"]`)?.remove();
    this.#end();
  }

  async #more() {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.setAttribute('aria-busy', 'true');
    const { signal } = this.#asking;
    try {
      // Pages may be short, or even empty, before the end of the list.
      const before = this.#items.length;
      do {
        const page = await api.get(this.#path, { query: { ...this.#query, cursor: this.#cursor }, signal });
        this.#cursor = page.nextCursor;
        const known = new Set(this.#items.map((each) => each.username));
        const items = page.items.filter((each) => !known.has(each.username));
        this.#items = [...this.#items, ...items];
        this.#list.append(...items.map((each) => personRow(each, this.#does)));
      } while (this.#cursor && this.#items.length === before);
      this.#isAsking = false;
      this.#end();
      // The end may still be in view, and the observer reports only changes.
      this.#observer.unobserve(this.#rest);
      this.#observer.observe(this.#rest);
    } catch (error) {
      this.#isAsking = false;
      if (signal.aborted) return;
      this.#rest.replaceChildren(problemNote(error, () => this.#more()));
    }
    this.removeAttribute('aria-busy');
    this.dispatchEvent(new Event('shown', { bubbles: true }));
  }

  #end() {
    this.#list.hidden = this.#items.length === 0;
    this.#rest.replaceChildren(...(this.#items.length === 0 && this.isWhole ? [this.#empty()] : []));
  }
}

customElements.define('person-list', PersonList);
