import { el, icon, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { registration, to } from '../app/places.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { backLink, tabBar } from '../elements/tab-bar.js';
import { problemNote } from '../elements/problem-note.js';

await style('styles/cards.css', 'admin/admin.css');

const parts = [
  { part: undefined, name: 'Overview', icon: 'plot' },
  { part: 'reports', name: 'Reports', icon: 'report' },
  { part: 'people', name: 'People', icon: 'account' },
  { part: 'memes', name: 'Delete', icon: 'delete' },
  registration !== 'closed' && { part: 'invitations', name: 'Invite', icon: 'mail' },
  { part: 'backups', name: 'Backups', icon: 'backup' },
  { part: 'log', name: 'Log', icon: 'list' },
].filter(Boolean);

/**
 * The base class of the pages for admins: tabs, and a note for other users. The server decides who is an admin. The
 * app's own check only saves others a useless request.
 */
export class AdminPage extends Page {
  /** The parent element of the page's content. */
  content = el('div', { class: 'admin-content' });
  #main = el('main', { class: 'admin' });

  /** The tab of this page. @returns {string | undefined} */
  get part() {
    return undefined;
  }

  /** The title of the page. @returns {string} */
  get title() {
    return '';
  }

  /** Loads and shows the content. @returns {Promise<void>} @throws {import('../app/problem.js').Problem} */
  async begin() {}

  build() {
    this.classList.add('on-ground');
    this.append(
      el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, this.title)),
      this.#main,
      tabBar('Admin', parts.map(({ part, name, icon: symbol }) => (
        { name, icon: symbol, href: to.admin(part), isCurrent: part === this.part }))));
  }

  connected() {
    this.watch('person', (person) => this.#show(person));
  }

  async #show(person) {
    const isAdmin = person?.role === 'admin';
    this.querySelector('.tab-bar').hidden = !isAdmin;
    if (!isAdmin) return this.#main.replaceChildren(notForYou());
    // With large text, the tabs are wider than a phone.
    this.querySelector('.tab-bar [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    this.#main.replaceChildren(this.content);
    await this.load();
  }

  /** Shows the content, or the problem that prevented it. */
  async load() {
    this.#main.setAttribute('aria-busy', 'true');
    try {
      await this.begin();
      this.#main.replaceChildren(this.content);
    } catch (error) {
      // The user lost the admin role after the app last fetched the account.
      if (error.status === 401 || error.status === 403) session.refresh().catch(() => {});
      this.#main.replaceChildren(error.status === 403 ? notForYou() : problemNote(error, () => this.load()));
    }
    this.#main.removeAttribute('aria-busy');
  }
}

const notForYou = () => el('div', { class: 'note' }, icon('admin'), el('h2', { class: 'note-title' }, 'Admins only'),
  el('p', {}, store.get('person') ? 'You need an admin account to see this page.' : 'Sign in as an admin to see this page.'),
  el('a', { class: 'button', href: to.table() }, 'Sent Memes'));
