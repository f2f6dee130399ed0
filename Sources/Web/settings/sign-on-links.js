import { api } from '../app/api.js';
import { base, el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { signOnName, to } from '../app/places.js';
import { Problem } from '../app/problem.js';
import { moment } from '../app/words.js';
import { group } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { codeField, passwordField } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { problemNote } from '../elements/problem-note.js';

/** Links and unlinks the identities with which a provider signs the user in. */
export class SignOnLinks extends Part {
  #error = el('p', { class: 'field-problem form-problem', role: 'alert', hidden: true });
  #place = el('div', { class: 'groups' });
  #hasFactor = false;

  build() {
    this.className = 'groups';
    this.append(this.#error, this.#place);
  }

  /** @param {string | null} code the problem code of a link that failed */
  showError(code) {
    this.#error.hidden = !code;
    if (!code) return;
    this.#error.textContent = new Problem(code, { detail: 'Linking didn’t work. Try again.' }).sentence;
    history.replaceState(history.state, '', location.pathname);
  }

  /** @param {boolean} hasFactor whether linking needs a code of the second factor */
  async load(hasFactor) {
    this.#hasFactor = hasFactor;
    try {
      this.#show(await api.get('/users/me/identities'));
    } catch (error) {
      this.#place.replaceChildren(problemNote(error, () => this.load(hasFactor)));
    }
  }

  #show({ items, hasPassword }) {
    if (!signOnName && items.length === 0) return this.#place.replaceChildren();
    const card = (...children) => el('div', { class: 'card form-card form' }, ...children);
    const password = !hasPassword && el('p', {}, 'Your account has no password. ', el('a', { href: to.forgot(), class: 'plain-link' }, 'Set one by email'));
    return this.#place.replaceChildren(group('Single sign-on', card(
      ...[...items.map((identity) => this.#row(identity)), password, items.length === 0 && this.#form(hasPassword)].filter(Boolean))));
  }

  #row({ id, issuer, createdAt }) {
    const name = signOnName || new URL(issuer).host;
    return el('div', { class: 'form' },
      el('p', {}, `Linked to ${name} since ${moment(createdAt)}.`),
      el('button', { type: 'button', class: 'button is-danger is-wide', onclick: () => this.#unlink(id) }, `Unlink ${name}`));
  }

  async #unlink(id) {
    try {
      await api.delete(`/users/me/identities/${encodeURIComponent(id)}`);
      notify('Single sign-on unlinked.');
      this.#error.hidden = true;
      await this.load(this.#hasFactor);
    } catch (error) {
      this.#error.textContent = error.sentence;
      this.#error.hidden = false;
    }
  }

  #form(hasPassword) {
    return new FieldForm({
      fields: [hasPassword && passwordField({ hint: `Then you can also sign in with ${signOnName}.` }), this.#hasFactor && codeField()].filter(Boolean),
      action: `Link ${signOnName}`,
      send: async ({ password, code }) => {
        const { url } = await api.post('/users/me/identities', { json: { password, code } });
        location.assign(new URL(url, new URL(`${base}/`, location.origin)));
      },
    });
  }
}

customElements.define('sign-on-links', SignOnLinks);
