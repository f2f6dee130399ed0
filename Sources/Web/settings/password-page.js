import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { store } from '../app/store.js';
import { FieldForm } from '../elements/field-form.js';
import { newPasswordField, passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { SectionPage } from './section-page.js';

/** Changes the password. */
class PasswordPage extends SectionPage {
  build() {
    this.section('Password',
      el('p', { class: 'group-note' }, 'Changing it signs you out everywhere else.'),
      el('div', { class: 'card form-card' }, new FieldForm({
        fields: [
          passwordField({ name: 'current', label: 'Current password' }),
          newPasswordField({ name: 'new', label: 'New password' }),
        ],
        // Password managers read the username from this field.
        more: [el('input', {
          class: 'only-read', autocomplete: 'username', value: store.get('person')?.username, readonly: true, tabindex: -1, 'aria-hidden': 'true',
        })],
        action: 'Change password',
        send: (values) => this.#save(values),
      })),
      el('p', { class: 'group-note' }, el('a', { href: to.forgot(), class: 'plain-link' }, 'Forgot your password?')));
  }

  async #save(values) {
    await api.put('/users/me/password', { json: { current: values.current, new: values.new } });
    notify('Password changed. All other devices were signed out.');
    // The user may have left the page since.
    if (this.isShown) router.back(to.settings());
  }
}

customElements.define('password-page', PasswordPage);
