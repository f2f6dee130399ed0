import { el } from '../app/dom.js';
import { session } from '../app/session.js';
import { problemNote } from '../elements/problem-note.js';
import { SectionPage } from './section-page.js';

/** The base of pages that change what only the server knows of the account: it is asked for anew each time. */
export class AccountPage extends SectionPage {
  /** Where it is shown. */
  place = el('div', { class: 'groups' });

  /** What the page is called. @returns {string} */
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
