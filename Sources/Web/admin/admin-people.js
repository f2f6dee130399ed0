import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { called, moment } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { menuSheet } from '../elements/menu-sheet.js';
import { notify } from '../elements/notice-bar.js';
import { emptyNote } from '../elements/problem-note.js';
import { copy } from '../share/targets.js';
import { AdminPage } from './admin-page.js';
import { bytes } from './amounts.js';
import { decide } from './decide-dialog.js';

await style('styles/forms.css', 'people/people.css');

const gibibyte = 2 ** 30;

/** How long the list waits for the next key, in milliseconds. */
const pause = 250;

/** All accounts, newest first, with a search. Each has a menu of what an admin can do with it. */
class AdminPeople extends AdminPage {
  #search = el('input', {
    class: 'field', type: 'search', id: 'people-search', autocomplete: 'off', autocapitalize: 'none', spellcheck: false,
    maxlength: 254, placeholder: 'Username or email', 'aria-label': 'Search by username or email', oninput: () => this.#wait(),
  });
  #list = el('ul', { class: 'people', role: 'list' });
  #rest = el('div', { 'aria-live': 'polite' });
  #timer;
  /** The number of the latest request. Responses to earlier ones are ignored. */
  #turn = 0;
  #cursor = null;

  get part() {
    return 'people';
  }

  get title() {
    return 'People';
  }

  build() {
    super.build();
    this.content.append(this.#search, this.#list, this.#rest);
  }

  async begin() {
    await this.#ask(null);
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.begin().catch(tellProblem), pause);
  }

  async #ask(cursor) {
    const turn = ++this.#turn;
    const q = this.#search.value.trim() || undefined;
    const page = await api.get('/admin/users', { query: { q, limit: 50, cursor } });
    if (turn !== this.#turn) return;
    if (cursor === null) this.#list.replaceChildren();
    const before = this.#list.children.length;
    this.#list.append(...page.items.map((each) => this.#row(each)));
    this.#cursor = page.nextCursor;
    this.#list.hidden = this.#list.children.length === 0;
    this.#rest.replaceChildren(...(this.#list.hidden ? [emptyNote('No accounts', 'No username or email has this in it.')]
      : this.#cursor ? [el('button', { type: 'button', class: 'button', onclick: () => this.#ask(this.#cursor).catch(tellProblem) }, 'Show more')] : []));
    if (cursor !== null) this.#list.children[before]?.querySelector('button').focus();
  }

  #row(account) {
    const { username, email, avatarUrl, role, suspendedAt, storedBytes, quotaBytes, createdAt } = account;
    const stored = quotaBytes === null ? bytes(storedBytes) : `${bytes(storedBytes)} of ${bytes(quotaBytes)}`;
    const facts = [role === 'admin' && 'Admin', suspendedAt && 'suspended', stored, `since ${moment(createdAt)}`];
    return el('li', { class: 'person', 'data-username': username },
      el('a', { class: 'person-link', href: to.user(username) },
        el('img', { class: 'avatar', src: avatarUrl, alt: '', width: 48, height: 48, loading: 'lazy' }),
        el('span', { class: 'person-words' },
          el('span', { class: 'person-name' }, el('bdi', {}, called(account))),
          el('span', { class: 'person-facts' }, el('span', { dir: 'ltr' }, `@${username} · ${email}`)),
          el('span', { class: 'person-facts' }, facts.filter(Boolean).join(' · ')))),
      username !== store.get('person')?.username && el('button', {
        type: 'button', class: 'button is-small', 'aria-label': `Actions for ${username}`, 'aria-haspopup': 'dialog', onclick: () => this.#menu(account),
      }, icon('more')));
  }

  #menu(account) {
    const { username, role, suspendedAt } = account;
    menuSheet(called(account), [
      { name: 'Password link', icon: 'link', run: () => this.#link(account) },
      role === 'admin'
        ? { name: 'Make a member', icon: 'admin', run: () => this.#change(account, () => this.#give('member', username), `${username} is a member.`) }
        : { name: 'Make an admin', icon: 'admin', run: () => this.#promote(account) },
      suspendedAt
        ? { name: 'Unsuspend', icon: 'account', run: () => this.#change(account, () => api.delete(`/admin/users/${username}/suspension`), `${username} unsuspended.`) }
        : { name: 'Suspend', icon: 'block', run: () => this.#suspend(account) },
      { name: 'Storage quota', icon: 'backup', run: () => this.#allow(account) },
      { name: 'Delete account', icon: 'delete', isDangerous: true, run: () => this.#delete(account) },
    ]);
  }

  #give(role, username) {
    return api.patch(`/admin/users/${username}`, { json: { role } });
  }

  async #promote(account) {
    const { username } = account;
    if (!await ask({ title: `Make ${called(account)} an admin?`, text: 'Admins see, change and delete everything.', action: 'Make an admin' })) return;
    await this.#change(account, () => this.#give('admin', username), `${username} is an admin.`);
  }

  async #allow(account) {
    const { username, storedBytes, quotaBytes } = account;
    const text = await decide({
      title: `Storage quota of ${called(account)}`,
      text: `${bytes(storedBytes)} are stored. Without a number, the limit of all accounts applies. With 0, nothing more can be stored.`,
      action: 'Save', field: 'GiB',
      input: el('input', {
        class: 'field', type: 'number', min: 0, max: 2 ** 53 / gibibyte, step: 'any', inputmode: 'decimal',
        value: quotaBytes === null ? '' : quotaBytes / gibibyte,
      }),
    });
    if (text === null) return;
    const json = { quotaBytes: text === '' ? null : Math.round(Number(text) * gibibyte) };
    await this.#change(account, () => api.patch(`/admin/users/${username}`, { json }), `Quota of ${username} changed.`);
  }

  async #suspend(account) {
    const { username } = account;
    const reason = await decide({
      title: `Suspend ${called(account)}?`, text: 'The person can only export data and delete the account. Their memes stay.',
      action: 'Suspend', field: 'Reason, for admins only (optional)', isDanger: true,
    });
    if (reason === null) return;
    await this.#change(account, () => api.put(`/admin/users/${username}/suspension`, { json: { reason: reason || null } }), `${username} suspended.`);
  }

  /** Runs a change of an account, and shows the account as it is then. */
  async #change({ username }, run, words) {
    try {
      await run();
      const row = this.#row(await api.get(`/admin/users/${username}`));
      this.#place(username)?.replaceWith(row);
      row.querySelector('button')?.focus();
      notify(words);
    } catch (error) {
      tellProblem(error);
    }
  }

  async #delete(account) {
    const { username } = account;
    if (!await ask({
      title: `Delete the account of ${called(account)}?`, text: 'All memes, comments and likes of this person are deleted too. You cannot undo this.',
      action: 'Delete account',
    })) return;
    try {
      await api.delete(`/admin/users/${username}`);
      this.#place(username)?.remove();
      this.#search.focus();
      notify(`${username} deleted.`);
    } catch (error) {
      tellProblem(error);
    }
  }

  async #link(account) {
    try {
      const { url } = await api.post(`/admin/users/${account.username}/password-reset`, {});
      this.#show(account, url);
    } catch (error) {
      tellProblem(error);
    }
  }

  #show(account, url) {
    const link = el('input', { class: 'field', readonly: true, value: url, dir: 'ltr', 'aria-label': 'Password link' });
    const dialog = el('dialog', { 'aria-labelledby': 'link-title', 'aria-describedby': 'link-text' },
      el('form', { method: 'dialog' },
        el('h2', { id: 'link-title' }, `A new password for ${called(account)}`),
        el('p', { id: 'link-text' }, 'Send this link. It works once, within 30 minutes, and is shown only now.'), link,
        el('div', { class: 'dialog-buttons' },
          el('button', { class: 'button', value: '' }, 'Close'),
          el('button', { class: 'button is-main', type: 'button', onclick: async () => {
            if (await copy(Promise.resolve(url))) notify('Link copied.');
            // Pages without HTTPS have no clipboard: the user copies the selected text.
            link.select();
          } }, 'Copy link'))));
    dialog.addEventListener('close', () => dialog.remove());
    document.body.append(dialog);
    dialog.showModal();
    link.focus();
    link.select();
  }

  #place(username) {
    return this.#list.querySelector(`[data-username="${CSS.escape(username)}"]`);
  }
}

customElements.define('admin-people', AdminPeople);
