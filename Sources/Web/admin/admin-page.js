import { el, icon, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { session } from '../app/session.js';
import { store } from '../app/store.js';
import { backLink, tabBar } from '../elements/tab-bar.js';
import { problemNote } from '../elements/problem-note.js';

await style('styles/cards.css', 'admin/admin.css');

const parts = [
  { part: undefined, name: 'Overview', icon: 'plot' },
  { part: 'reports', name: 'Reports', icon: 'report' },
  { part: 'memes', name: 'Delete', icon: 'delete' },
  { part: 'backups', name: 'Backups', icon: 'backup' },
  { part: 'log', name: 'Log', icon: 'list' },
];

/**
 * The base of the pages for admins: tabs, and a note for everybody else. The server decides who is one; what the app knows of
 * it only spares others what they could not do.
 */
export class AdminPage extends Page {
  /** Where what a page shows goes. */
  content = el('div', { class: 'admin-content' });
  #main = el('main', { class: 'admin' });

  /** Which of the tabs this is. @returns {string | undefined} */
  get part() {
    return undefined;
  }

  /** What the page is called. @returns {string} */
  get title() {
    return '';
  }

  /** Shows what there is. @returns {Promise<void>} @throws {import('../app/problem.js').Problem} */
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
    this.#main.replaceChildren(this.content);
    await this.load();
  }

  /** Shows what there is, or why that does not come. */
  async load() {
    this.#main.setAttribute('aria-busy', 'true');
    try {
      await this.begin();
      this.#main.replaceChildren(this.content);
    } catch (error) {
      // The role was taken back since the app last asked who is signed in.
      if (error.status === 401 || error.status === 403) session.refresh().catch(() => {});
      this.#main.replaceChildren(error.status === 403 ? notForYou() : problemNote(error, () => this.load()));
    }
    this.#main.removeAttribute('aria-busy');
  }
}

const notForYou = () => el('div', { class: 'note' }, icon('admin'), el('h2', { class: 'note-title' }, 'This is not for you'),
  el('p', {}, store.get('person') ? 'Only the admins of this server see what is here.' : 'Only admins who are signed in see what is here.'),
  el('a', { class: 'button', href: to.table() }, 'Sent Memes'));
