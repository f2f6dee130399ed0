import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { Part } from '../app/part.js';
import { counted, moment } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { group, segments } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { emailField, field } from '../elements/fields.js';
import { notify } from '../elements/notice-bar.js';
import { copy } from '../share/targets.js';

const day = 86_400_000;

/** Creates invitations, shows the link of a new one, and lists and deletes those that are still valid. */
export class InvitationBox extends Part {
  #isAdmin;
  #role = 'member';
  /** The link of the new invitation. The server shows it only once. */
  #made = el('div', { 'aria-live': 'polite' });
  #list = el('div');
  #items = [];
  #next = null;

  /** @param {boolean} isAdmin whether to offer what only admins can choose, and the names of inviters */
  constructor(isAdmin) {
    super();
    this.#isAdmin = isAdmin;
  }

  build() {
    this.classList.add('groups');
    const fields = [
      emailField({ label: 'Email (optional)', hint: 'Then only this email can use the invitation.', required: false, autocomplete: 'off' }),
      ...(this.#isAdmin ? [
        field({ name: 'uses', label: 'Accounts', type: 'number', min: 1, max: 1000, value: '1', required: true, inputmode: 'numeric' }),
        field({ name: 'expiresAt', label: 'Days until it expires', type: 'number', min: 1, max: 365, value: '14', required: true, inputmode: 'numeric' }),
      ] : []),
    ];
    const role = this.#isAdmin && segments({
      name: 'Role', value: this.#role, options: [['member', 'Member'], ['admin', 'Admin']], change: (value) => { this.#role = value; },
    });
    this.append(
      el('p', { class: 'group-note' }, this.#isAdmin
        ? 'Anyone with the link can create an account.' : 'With the link, one person can create an account within 14 days.'),
      el('div', { class: 'card form-card' }, new FieldForm({
        fields, more: [role].filter(Boolean), action: 'Create invitation', send: (values) => this.#create(values),
      })),
      this.#made, this.#list);
  }

  /** Loads the list. @throws {import('../app/problem.js').Problem} */
  async load() {
    [this.#items, this.#next] = [[], null];
    await this.#more();
  }

  async #more() {
    const page = await api.get('/invitations', { query: { limit: 100, cursor: this.#next } });
    [this.#items, this.#next] = [[...this.#items, ...page.items], page.nextCursor];
    this.#show();
  }

  async #create({ email, uses, expiresAt }) {
    const terms = this.#isAdmin && {
      role: this.#role, uses: Number(uses), expiresAt: new Date(Date.now() + Number(expiresAt) * day).toISOString(),
    };
    const { url, code, ...invitation } = await api.post('/invitations', { json: { ...(email.trim() && { email: email.trim() }), ...terms } });
    this.#items.unshift(invitation);
    this.#show();
    const link = el('input', { class: 'field', readonly: true, value: url, dir: 'ltr', 'aria-label': 'Invitation link' });
    this.#made.replaceChildren(group('New invitation', el('div', { class: 'card form-card form' },
      el('p', {}, 'Send this link. It is shown only once.'), link,
      el('button', { type: 'button', class: 'button', onclick: () => this.#copy(link) }, icon('link'), 'Copy link'))));
    link.focus();
    link.select();
  }

  async #copy(link) {
    if (await copy(Promise.resolve(link.value))) return notify('Link copied.');
    // Pages without HTTPS have no clipboard: the user copies the selected text.
    link.focus();
    link.select();
  }

  #show() {
    this.#list.replaceChildren(group('Open invitations', ...(this.#items.length > 0 ? [
      el('ul', { class: 'card menu', role: 'list' }, ...this.#items.map((each) => this.#row(each))),
      this.#next && el('button', { type: 'button', class: 'button', onclick: () => this.#more().catch(tellProblem) }, 'Show more'),
    ] : [el('p', { class: 'group-note' }, 'No open invitations.')]).filter(Boolean)));
  }

  #row(invitation) {
    const { email, role, uses, inviter, createdAt, expiresAt } = invitation;
    const name = email ?? (uses === 1 ? 'For one person' : `For ${counted(uses, 'account')}`);
    const hints = [
      role === 'admin' && 'Admin', this.#isAdmin && `by ${inviter ?? 'the admin token'}`, `expires ${moment(expiresAt)}`,
    ];
    return el('li', { class: 'menu-row' }, icon('mail'),
      el('span', { class: 'menu-words' }, el('bdi', {}, name), el('span', { class: 'menu-hint' }, hints.filter(Boolean).join(' · '))),
      el('button', {
        type: 'button', class: 'button is-small', 'aria-label': `Delete: ${name}, created ${moment(createdAt)}`,
        onclick: () => this.#delete(invitation),
      }, 'Delete'));
  }

  async #delete({ id }) {
    if (!await ask({ title: 'Delete this invitation?', text: 'Its link will stop working.', action: 'Delete' })) return;
    try {
      await api.delete(`/invitations/${id}`).catch((error) => {
        // It was used or has expired.
        if (error.status !== 404) throw error;
      });
      this.#items = this.#items.filter((each) => each.id !== id);
      this.#made.replaceChildren();
      this.#show();
      notify('Invitation deleted.');
      this.querySelector('input')?.focus();
    } catch (error) {
      tellProblem(error);
    }
  }
}

customElements.define('invitation-box', InvitationBox);
