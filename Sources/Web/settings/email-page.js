import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { confirmsEmails, to } from '../app/places.js';
import { router } from '../app/router.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField, passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { AccountPage } from './account-page.js';

/** Changes the email. This needs the password, because access to the email gives access to the account. */
class EmailPage extends AccountPage {
  get title() {
    return 'Email';
  }

  show({ email, emailConfirmed }) {
    this.place.replaceChildren(
      el('p', { class: 'group-note' }, 'Your email is ', el('strong', { dir: 'ltr' }, email),
        confirmsEmails && !emailConfirmed ? ', and not confirmed yet' : null,
        '. It is only visible to you, and used to reset your password.'),
      el('div', { class: 'card form-card' }, new FieldForm({
        fields: [
          emailField({ label: 'New email' }),
          passwordField({ hint: 'We ask so nobody else can change it on your device.' }),
        ],
        action: 'Change email',
        codes: { 'email-taken': 'email' },
        send: (values) => this.#save(values),
      })));
  }

  async #save({ email, password }) {
    await api.patch('/users/me', { json: { email: email.trim(), password } });
    notify('Email changed. We sent a notice to your old address.');
    // The user may have left the page since.
    if (this.isShown) router.back(to.settings());
  }
}

customElements.define('email-page', EmailPage);
