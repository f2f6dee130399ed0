import { el } from '../app/dom.js';
import { registration, to } from '../app/places.js';
import { Problem } from '../app/problem.js';
import { session } from '../app/session.js';
import { FieldForm } from '../elements/field-form.js';
import { codeField, passwordField, usernameField } from '../elements/fields.js';
import { offerClaims } from './claims.js';
import { guestLink } from './guest-links.js';
import { signOnButton } from './sign-on-button.js';
import { GuestPage } from './guest-page.js';

/** Signs in. Also shown instead of a page that needs an account, with the reason. */
class SignInPage extends GuestPage {
  #why = el('p', { class: 'guest-why', hidden: true });
  /** The error of a single sign-on. */
  #error = el('p', { class: 'field-problem form-problem', role: 'alert', hidden: true });

  /** Hidden until the server asks for the code of the second factor. */
  #code = codeField({ required: false });

  build() {
    this.#code.element.hidden = true;
    this.card('Sign in', this.#why, this.#error,
      new FieldForm({
        fields: [usernameField({ label: 'Username or email' }), passwordField(), this.#code],
        action: 'Sign in',
        codes: { 'wrong-credentials': 'password', 'code-required': 'code', 'invalid-code': 'code' },
        send: (values) => this.#signIn(values),
      }),
      signOnButton(),
      el('p', { class: 'guest-links' }, el('a', { href: to.forgot(), class: 'plain-link' }, 'Forgot your password?')),
      registration !== 'closed' && el('p', { class: 'guest-links' }, 'New here? ', guestLink(to.register(), 'Create an account', 'plain-link')));
  }

  async #signIn({ username, password, code }) {
    const isAsked = !this.#code.element.hidden;
    try {
      await session.signIn(username.trim(), password, isAsked && code.trim() ? code : undefined);
    } catch (error) {
      if (error.code !== 'code-required' || isAsked) throw error;
      this.#code.element.hidden = false;
      return this.#code.input.focus();
    }
    // The page stays, and may be shown again.
    this.#code.element.hidden = true;
    this.#code.input.value = '';
    // "Your session has ended" is no longer true.
    const notice = document.querySelector('notice-bar');
    if (notice.querySelector('.notice-action').textContent === 'Sign in') notice.dismiss();
    return offerClaims();
  }

  enter({ why = '' }, query) {
    this.#why.textContent = why;
    this.#why.hidden = !why;
    const code = query.get('error');
    if (!code) return;
    this.#error.textContent = new Problem(code, { detail: 'The sign-in didn’t work. Try again.' }).sentence;
    this.#error.hidden = false;
    // A reload is another attempt.
    history.replaceState(history.state, '', location.pathname);
  }
}

customElements.define('sign-in-page', SignInPage);
