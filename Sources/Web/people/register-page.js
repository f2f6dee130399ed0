import { newKey } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { session } from '../app/session.js';
import { notify } from '../elements/notice-bar.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField, field, newPasswordField, usernameField } from '../elements/fields.js';
import { offerClaims } from './claims.js';
import { guestLink } from './guest-links.js';
import { GuestPage } from './guest-page.js';

/** Creates an account, and signs in at once. */
class RegisterPage extends GuestPage {
  /** The idempotency key. It stays the same for each attempt, so that a lost response causes no second account. */
  #key = newKey();

  build() {
    const fields = [
      usernameField({ hint: '3–30 characters: a–z, 0–9, _. People find you by it.', maxlength: 30 }),
      field({ name: 'displayName', label: 'Display name (optional)', autocomplete: 'name', maxlength: 100 }),
      emailField({ hint: 'Only for resetting your password. Never shown.' }),
      newPasswordField(),
    ];
    // A changed form is a new request, which needs a new key.
    this.addEventListener('input', () => { this.#key = newKey(); });
    this.card('Create an account',
      new FieldForm({
        fields, action: 'Create account',
        codes: { 'username-taken': 'username', 'email-taken': 'email' },
        send: (values) => this.#register(values),
      }),
      el('p', { class: 'guest-links' }, 'Already have an account? ', guestLink(to.signIn(), 'Sign in', 'plain-link')));
  }

  async #register({ username, displayName, email, password }) {
    const name = displayName.trim();
    await session.register(
      { username: username.trim(), email: email.trim(), password, ...(name && { displayName: name }) }, this.#key);
    notify('Welcome to MemeMe! Your account is ready.');
    offerClaims();
  }
}

customElements.define('register-page', RegisterPage);
