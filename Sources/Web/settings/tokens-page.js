import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { moment } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { group, segments } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { codeField, field, passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { problemNote } from '../elements/problem-note.js';
import { copy } from '../share/targets.js';
import { SectionPage } from './section-page.js';

const day = 86_400_000;
const uses = { read: 'Read', write: 'Read and write', admin: 'Everything, as an admin' };

/** Makes access tokens of scripts and bots, shows the secret of a new one, and lists and deletes them. */
class TokensPage extends SectionPage {
  #scope = 'read';
  #form = el('div', { class: 'card form-card' });
  /** The secret of the new token. The server shows it only once. */
  #made = el('div', { 'aria-live': 'polite' });
  #list = el('div');
  #items = [];
  #needsCode = false;

  build() {
    this.section('Access tokens', this.#form);
    this.#load();
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      const [{ items }, { secondFactor }] = await Promise.all([api.get('/users/me/tokens'), session.refresh()]);
      [this.#items, this.#needsCode] = [items, secondFactor !== null];
      this.main.replaceChildren(
        el('p', { class: 'group-note' }, 'For scripts and bots that use your account. A token cannot change your password or email.'),
        this.#form, this.#made, this.#list);
      this.#showForm();
      this.#showList();
    } catch (error) {
      this.main.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }

  #showForm() {
    this.#scope = 'read';
    const isAdmin = store.get('person')?.role === 'admin';
    this.#form.replaceChildren(new FieldForm({
      fields: [
        field({ name: 'name', label: 'Name', hint: 'What it is for.', maxlength: 100, required: true, autocomplete: 'off' }),
        field({
          name: 'expiresAt', label: 'Days until it expires (optional)', type: 'number', min: 1, max: 3650, inputmode: 'numeric',
        }),
        passwordField({ hint: 'We ask so that a person with your device cannot make a token.' }),
        ...(this.#needsCode ? [codeField()] : []),
      ],
      more: [segments({
        name: 'It can', value: this.#scope, options: [['read', 'Read'], ['write', 'Write'], ...(isAdmin ? [['admin', 'Admin']] : [])],
        change: (value) => { this.#scope = value; },
      })],
      action: 'Make token', send: (values) => this.#make(values),
    }));
  }

  async #make({ name, expiresAt, password, code }) {
    const end = expiresAt.trim() && { expiresAt: new Date(Date.now() + Number(expiresAt) * day).toISOString() };
    const { token, ...made } = await api.post('/users/me/tokens', { json: { name, scopes: [this.#scope], password, code, ...end } });
    this.#items.unshift(made);
    this.#showForm();
    this.#showList();
    const secret = el('input', { class: 'field', readonly: true, value: token, dir: 'ltr', 'aria-label': 'Access token' });
    this.#made.replaceChildren(group('New token', el('div', { class: 'card form-card form' },
      el('p', {}, 'Copy this token now. It is shown only once.'), secret,
      el('button', { type: 'button', class: 'button', onclick: () => this.#copy(secret) }, icon('key'), 'Copy token'))));
    secret.focus();
    secret.select();
  }

  async #copy(secret) {
    if (await copy(Promise.resolve(secret.value))) return notify('Token copied.');
    // Pages without HTTPS have no clipboard: the user copies the selected text.
    secret.focus();
    secret.select();
  }

  #showList() {
    this.#list.replaceChildren(group('Your tokens', this.#items.length > 0
      ? el('ul', { class: 'card menu', role: 'list' }, ...this.#items.map((each) => this.#row(each)))
      : el('p', { class: 'group-note' }, 'No access tokens.')));
  }

  #row(token) {
    const { name, scopes, createdAt, expiresAt, lastUsedAt } = token;
    const hints = [
      uses[scopes.at(-1)], lastUsedAt ? `used ${moment(lastUsedAt)}` : 'never used', expiresAt && `expires ${moment(expiresAt)}`,
    ];
    return el('li', { class: 'menu-row' }, icon('key'),
      el('span', { class: 'menu-words' }, el('bdi', {}, name), el('span', { class: 'menu-hint' }, hints.filter(Boolean).join(' · '))),
      el('button', {
        type: 'button', class: 'button is-small', 'aria-label': `Delete: ${name}, created ${moment(createdAt)}`,
        onclick: () => this.#delete(token),
      }, 'Delete'));
  }

  async #delete({ id, name }) {
    if (!await ask({ title: `Delete “${name}”?`, text: 'Scripts that use it will stop working.', action: 'Delete' })) return;
    try {
      await api.delete(`/users/me/tokens/${id}`).catch((error) => {
        // It was deleted elsewhere, or has expired.
        if (error.status !== 404) throw error;
      });
      this.#items = this.#items.filter((each) => each.id !== id);
      this.#made.replaceChildren();
      this.#showList();
      notify('Token deleted.');
      this.querySelector('input')?.focus();
    } catch (error) {
      tellProblem(error);
    }
  }
}

customElements.define('tokens-page', TokensPage);
