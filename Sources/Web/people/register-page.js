import { newKey } from '../app/api.js';
import { el } from '../app/dom.js';
import { registration, to } from '../app/places.js';
import { session } from '../app/session.js';
import { notify } from '../elements/notice-bar.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField, field, newPasswordField, usernameField } from '../elements/fields.js';
import { offerClaims } from './claims.js';
import { guestLink } from './guest-links.js';
import { signOnButton } from './sign-on-button.js';
import { GuestPage } from './guest-page.js';

/**
 * Creates an account, and signs in at once. The link of an invitation leads here too, with the code in the fragment of
 * the address, which browsers never send.
 */
class RegisterPage extends GuestPage {
  /** The idempotency key. It stays the same for each attempt, so that a lost response causes no second account. */
  #key = newKey();
  #place = el('div', { class: 'guest-place' });

  build() {
    // A changed form is a new request, which needs a new key.
    this.addEventListener('input', () => { this.#key = newKey(); });
    this.card('Create an account', this.#place,
      el('p', { class: 'guest-links' }, 'Already have an account? ', guestLink(to.signIn(), 'Sign in', 'plain-link')));
  }

  enter() {
    const code = location.hash.slice(1);
    this.#place.replaceChildren(registration === 'closed' && !code
      ? el('p', { class: 'guest-why' }, 'This server accepts no new accounts.') : this.#form(code),
    ...(registration === 'closed' ? [] : [signOnButton(() => this.#code())].filter(Boolean)));
  }

  /** The code of the invitation in the form; empty without one. People may paste the whole link. */
  #code() {
    return this.querySelector('[name=invitation]')?.value.trim().split('#').at(-1) ?? '';
  }

  /** @param {string} code the code of an invitation; empty without one */
  #form(code) {
    const needsInvitation = registration === 'invite';
    const fields = [
      (needsInvitation || code) && field({
        name: 'invitation', label: 'Invitation code', hint: 'From the person who invited you.', value: code, required: needsInvitation,
        autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false', dir: 'ltr', maxlength: 500,
      }),
      usernameField({ hint: '3–30 characters: a–z, 0–9, _. People find you by it.', maxlength: 30 }),
      field({ name: 'displayName', label: 'Display name (optional)', autocomplete: 'name', maxlength: 100 }),
      emailField({ hint: 'Only for resetting your password. Never shown.' }),
      newPasswordField(),
    ];
    return new FieldForm({
      fields: fields.filter(Boolean), action: 'Create account',
      codes: { 'username-taken': 'username', 'email-taken': 'email', 'invitation-invalid': 'invitation' },
      send: (values) => this.#register(values),
    });
  }

  async #register({ username, displayName, email, password }) {
    const name = displayName.trim();
    const code = this.#code();
    await session.register({
      username: username.trim(), email: email.trim(), password, ...(name && { displayName: name }), ...(code && { invitation: code }),
    }, this.#key);
    notify('Welcome to MemeMe! Your account is ready.');
    offerClaims();
  }
}

customElements.define('register-page', RegisterPage);
