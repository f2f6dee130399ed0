import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField } from '../elements/fields.js';
import { GuestPage } from './guest-page.js';

/** Requests a mail with a link to {@link ResetPage}. The page does not reveal whether an account has the email. */
class ForgotPage extends GuestPage {
  #form = new FieldForm({
    fields: [emailField()],
    action: 'Send me a link',
    send: async ({ email }) => {
      await api.post('/password-resets', { json: { email: email.trim() } });
      this.#sent(email.trim());
    },
  });

  build() {
    this.card('Forgot the password?',
      el('p', { class: 'guest-why' }, 'We send you a link by which you choose a new one.'), this.#form);
  }

  #sent(email) {
    const told = el('p', { class: 'guest-why', tabindex: -1 },
      'If somebody has registered with ', el('strong', { dir: 'ltr' }, email),
      ', a mail with a link is on its way. The link works once, for half an hour. Look among the unwanted mails as well.');
    this.querySelector('.guest-why').remove();
    this.heading.textContent = 'Look into your mail';
    this.#form.replaceWith(told);
    told.focus();
    this.renamed();
  }
}

customElements.define('forgot-page', ForgotPage);
