import { problemNote } from '../elements/problem-note.js';
import { InvitationBox } from '../people/invitation-box.js';
import { SectionPage } from './section-page.js';

/** The invitations of a member. */
class InvitationsPage extends SectionPage {
  #box = new InvitationBox(false);

  build() {
    this.section('Invitations', this.#box);
    this.#load();
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      await this.#box.load();
      this.main.replaceChildren(this.#box);
    } catch (error) {
      this.main.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }
}

customElements.define('invitations-page', InvitationsPage);
