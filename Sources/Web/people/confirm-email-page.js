import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { problemNote } from '../elements/problem-note.js';
import { GuestPage } from './guest-page.js';

/**
 * The target of the link in the mail: confirms the email. The token is in the fragment of the address, which browsers
 * never send.
 */
class ConfirmEmailPage extends GuestPage {
  #place = el('div', { class: 'guest-place', 'aria-live': 'polite' });

  build() {
    this.card('Confirm your email', this.#place);
  }

  enter() {
    const token = location.hash.slice(1);
    if (token) this.#confirm(token);
    else this.#show('Open this page with the link in your email.');
  }

  async #confirm(token) {
    try {
      await api.post('/email-confirmations', { json: { token } });
      this.#show('Your email is confirmed.');
      history.replaceState(history.state, '', location.pathname);
      if (store.get('person')) session.refresh().catch(() => {});
    } catch (error) {
      if (error.code === 'invalid-confirmation') this.#show('This link is no longer valid. In the settings, you can get a new one.');
      else this.#place.replaceChildren(problemNote(error, () => this.#confirm(token)));
    }
  }

  #show(text) {
    this.#place.replaceChildren(
      el('p', { class: 'guest-why' }, text), el('a', { href: to.table(), class: 'button is-main is-wide' }, 'Open MemeMe'));
  }
}

customElements.define('confirm-email-page', ConfirmEmailPage);
