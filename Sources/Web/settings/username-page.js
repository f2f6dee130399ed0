import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { session } from '../app/session.js';
import { FieldForm } from '../elements/field-form.js';
import { usernameField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { AccountPage } from './account-page.js';

const days = 30;
const day = new Intl.DateTimeFormat('en', { dateStyle: 'long' });

/** Changes the username, which is possible once in 30 days. */
class UsernamePage extends AccountPage {
  get title() {
    return 'Username';
  }

  show({ username, usernameChangedAt }) {
    const next = usernameChangedAt ? Date.parse(usernameChangedAt) + days * 86_400_000 : 0;
    const name = el('p', { class: 'group-note' }, 'Your username is ', el('strong', { dir: 'ltr' }, `@${username}`), '.');
    if (next > Date.now()) {
      name.append(` You can change it again on ${day.format(next)}.`);
      this.place.replaceChildren(name);
      return;
    }
    this.place.replaceChildren(
      name,
      el('div', { class: 'card form-card' }, new FieldForm({
        fields: [usernameField({ label: 'New username', autocomplete: 'off', hint: '3–30 characters: a–z, 0–9, _.', maxlength: 30 })],
        action: 'Change username',
        codes: { 'username-taken': 'username' },
        send: (values) => this.#save(values.username.trim()),
      })),
      el('p', { class: 'group-note' },
        `You can change it once in ${days} days. For that time, links to the old one lead to you. Then anyone can take it.`));
  }

  async #save(username) {
    session.changed(await api.patch('/users/me', { json: { username } }));
    notify('Username changed.');
    // The user may have left the page since.
    if (this.isShown) router.back(to.settings());
  }
}

customElements.define('username-page', UsernamePage);
