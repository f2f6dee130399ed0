import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { ask } from '../elements/ask-dialog.js';
import { FieldForm } from '../elements/field-form.js';
import { passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { SectionPage } from './section-page.js';

/** Deletes the account permanently. */
class DeletePage extends SectionPage {
  build() {
    const username = store.get('person')?.username ?? '';
    this.section('Delete account',
      el('div', { class: 'card text-card' },
        el('p', {}, el('strong', {}, 'This cannot be undone.'), ' Deleting your account immediately removes:'),
        el('ul', { class: 'bullets' },
          el('li', {}, 'all your memes, with their pictures and comments'),
          el('li', {}, 'your comments, likes, favorites and templates'),
          el('li', {}, 'your profile, followers and follows')),
        el('p', {}, 'Your reports to the admins stay, without your name. So do memes that others made from your pictures.'),
        el('p', {}, 'You will be signed out everywhere. Someone else can then take the name ', el('bdi', {}, `@${username}`), '.'),
        el('a', { href: to.settings('export'), class: 'plain-link' }, 'Export your data first')),
      el('div', { class: 'card form-card' }, new FieldForm({
        fields: [passwordField()],
        more: [el('input', {
          class: 'only-read', autocomplete: 'username', value: username, readonly: true, tabindex: -1, 'aria-hidden': 'true',
        })],
        action: 'Delete my account', isDangerous: true,
        send: (values) => this.#leave(values),
      })));
  }

  async #leave({ password }) {
    const isSure = await ask({
      title: 'Delete your account?', text: 'Your profile and everything listed here will be permanently deleted.', action: 'Delete permanently',
    });
    if (!isSure) return;
    await api.delete('/users/me', { json: { password } });
    session.forget();
    await router.go(to.table(), { replacing: true });
    notify('Your account was deleted.');
  }
}

customElements.define('delete-page', DeletePage);
