import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField } from '../elements/fields.js';
import { GuestPage } from './guest-page.js';

/** Requests a mail with a link to {@link ResetPage}. The page does not reveal whether an account has the email. */
class ForgotPage extends GuestPage {
  #form = new FieldForm({
    fields: [emailField()],
    action: 'Send reset link',
    send: async ({ email }) => {
      await api.post('/password-resets', { json: { email: email.trim() } });
      this.#sent(email.trim());
    },
  });

  build() {
    this.card('Forgot your password?',
      el('p', { class: 'guest-why' }, 'We’ll email you a link to reset it.'), this.#form);
  }

  #sent(email) {
    const told = el('p', { class: 'guest-why', tabindex: -1 },
      'If an account uses ', el('strong', { dir: 'ltr' }, email),
      ', we’ve emailed a link to it. The link works once, for 30 minutes. Check your spam folder too.');
    this.querySelector('.guest-why').remove();
    this.heading.textContent = 'Check your email';
    this.#form.replaceWith(told);
    told.focus();
    this.renamed();
  }
}

customElements.define('forgot-page', ForgotPage);
