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
        el('p', {}, el('strong', {}, 'This cannot be undone.'), ' With your account go at once, for everybody:'),
        el('ul', { class: 'bullets' },
          el('li', {}, 'all your memes, with their pictures and what others wrote about them'),
          el('li', {}, 'your comments, likes, favorites and templates'),
          el('li', {}, 'your profile, whom you follow, and who follows you')),
        el('p', {}, 'You are signed out everywhere, and somebody else may take the name ', el('bdi', {}, `@${username}`), '.'),
        el('a', { href: to.settings('export'), class: 'plain-link' }, 'Export everything before')),
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
      title: 'Delete your account?', text: 'Everything of yours is gone then, for good.', action: 'Delete for good',
    });
    if (!isSure) return;
    await api.delete('/users/me', { json: { password } });
    session.forget();
    await router.go(to.table(), { replacing: true });
    notify('Your account is deleted, with everything that was yours.');
  }
}

customElements.define('delete-page', DeletePage);
