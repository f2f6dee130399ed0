import { el } from '../app/dom.js';
import { registration, to } from '../app/places.js';
import { session } from '../app/session.js';
import { FieldForm } from '../elements/field-form.js';
import { passwordField, usernameField } from '../elements/fields.js';
import { offerClaims } from './claims.js';
import { guestLink } from './guest-links.js';
import { GuestPage } from './guest-page.js';

/** Signs in. Also shown instead of a page that needs an account, with the reason. */
class SignInPage extends GuestPage {
  #why = el('p', { class: 'guest-why', hidden: true });

  build() {
    this.card('Sign in', this.#why,
      new FieldForm({
        fields: [usernameField({ label: 'Username or email' }), passwordField()],
        action: 'Sign in',
        codes: { 'wrong-credentials': 'password' },
        send: async ({ username, password }) => {
          await session.signIn(username.trim(), password);
          offerClaims();
        },
      }),
      el('p', { class: 'guest-links' }, el('a', { href: to.forgot(), class: 'plain-link' }, 'Forgot your password?')),
      registration !== 'closed' && el('p', { class: 'guest-links' }, 'New here? ', guestLink(to.register(), 'Create an account', 'plain-link')));
  }

  enter({ why = '' }) {
    this.#why.textContent = why;
    this.#why.hidden = !why;
  }
}

customElements.define('sign-in-page', SignInPage);
