import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { FieldForm } from '../elements/field-form.js';
import { newPasswordField } from '../elements/fields.js';
import { GuestPage } from './guest-page.js';

/**
 * The target of the link in the mail: sets a new password. The token is in the fragment of the address, which browsers
 * never send.
 */
class ResetPage extends GuestPage {
  #place = el('div', { class: 'guest-place' });

  build() {
    this.card('Choose a new password', this.#place);
  }

  enter() {
    const token = location.hash.slice(1);
    this.#place.replaceChildren(...(token ? [this.#form(token)] : this.#without()));
  }

  #form(token) {
    return new FieldForm({
      fields: [newPasswordField({ label: 'New password' })],
      action: 'Change password',
      send: async ({ password }) => {
        try {
          await api.put(`/password-resets/${encodeURIComponent(token)}`, { json: { password } });
        } catch (error) {
          if (error.code !== 'invalid-reset') throw error;
          this.#end('This link is no longer valid', error.sentence, el('a', { href: to.forgot(), class: 'button is-main is-wide' }, 'Request a new link'));
          return;
        }
        // The new password has ended the sessions of its account, which may not be that of this browser.
        if (store.get('person')) session.refresh().catch(() => {});
        this.#end('Password changed', 'Sign in with your new password. You were signed out everywhere else.',
          el('a', { href: to.signIn(), class: 'button is-main is-wide' }, 'Sign in'));
      },
    });
  }

  #without() {
    return [
      el('p', { class: 'guest-why' }, 'Open this page with the link in your email.'),
      el('a', { href: to.forgot(), class: 'button is-main is-wide' }, 'Request a link'),
    ];
  }

  /** Shows the result. Removes the token from the address, because it is no longer valid. */
  #end(title, text, way) {
    history.replaceState(history.state, '', location.pathname);
    this.heading.textContent = title;
    this.#place.replaceChildren(el('p', { class: 'guest-why' }, text), way);
    this.heading.focus();
    this.renamed();
  }
}

customElements.define('reset-page', ResetPage);
