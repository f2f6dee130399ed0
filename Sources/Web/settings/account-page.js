import { el } from '../app/dom.js';
import { session } from '../app/session.js';
import { problemNote } from '../elements/problem-note.js';
import { SectionPage } from './section-page.js';

/** The base class of pages that edit account data. Only the server has all of it, so each page fetches it. */
export class AccountPage extends SectionPage {
  /** The parent element of the content. */
  place = el('div', { class: 'groups' });

  /** The title of the page. @returns {string} */
  get title() {
    return '';
  }

  /** Shows the account. @param {object} user */
  show(user) {}

  build() {
    this.section(this.title, this.place);
    this.#load();
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      this.show(await session.refresh());
    } catch (error) {
      this.place.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }
}
