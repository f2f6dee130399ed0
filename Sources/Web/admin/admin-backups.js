import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { Problem } from '../app/problem.js';
import { ago, counted, moment } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { notify } from '../elements/notice-bar.js';
import { AdminPage } from './admin-page.js';
import { bytes } from './amounts.js';
import { backupRow, showProgress } from './backup-row.js';
import { newest, rule, running, worry } from './backup-words.js';

/** The polling interval while the server makes a backup, in milliseconds. */
const pace = 1000;

/** Lists the backups, including a running one. */
class AdminBackups extends AdminPage {
  #backups = { items: [] };
  #state = el('section', { class: 'card backups-state' });
  #list = el('ul', { class: 'backups card', role: 'list', 'aria-label': 'Backups' });
  #button = el('button', { type: 'button', class: 'button is-main', onclick: () => this.#make() }, icon('backup'), 'Back up now');
  /** The rows by backup id, with the data that they show. @type {Map<string, {row: HTMLElement, shows: string}>} */
  #rows = new Map();
  #timer = 0;

  get part() {
    return 'backups';
  }

  get title() {
    return 'Backups';
  }

  connected() {
    super.connected();
    this.lifetime.addEventListener('abort', () => clearTimeout(this.#timer));
    this.listen(document, 'visibilitychange', () => {
      if (!document.hidden && this.isShown) this.#follow();
    });
  }

  returned(focused) {
    super.returned(focused);
    this.#follow();
  }

  async begin() {
    await this.#ask();
    this.content.replaceChildren(this.#state, this.#list);
  }

  async #ask() {
    this.#show(await api.get('/admin/backups'));
    clearTimeout(this.#timer);
    if (running(this.#backups)) this.#timer = setTimeout(() => this.#follow(), pace);
  }

  /** Polls the state of a running backup. Continues if the server does not respond, because that may pass. */
  async #follow() {
    clearTimeout(this.#timer);
    if (!this.isConnected || !this.isShown || document.hidden) return;
    const was = running(this.#backups);
    try {
      await this.#ask();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.isPassing) await this.load();
      else if (this.isConnected) this.#timer = setTimeout(() => this.#follow(), 5 * pace);
      return;
    }
    const is = was && this.#backups.items.find(({ id }) => id === was.id);
    if (is?.state === 'complete') notify('Backup complete and verified.');
    if (is?.state === 'failed') notify('Backup failed.');
  }

  async #make() {
    if (running(this.#backups)) return;
    try {
      await api.post('/admin/backups');
    } catch (error) {
      tellProblem(error);
    }
    await this.#ask().catch(tellProblem);
  }

  async #remove(backup) {
    const { id, createdAt, byteCount, state } = backup;
    const isOnly = newest(this.#backups)?.id === id && this.#backups.items.filter((each) => each.state === 'complete').length === 1;
    const text = `Created ${moment(createdAt)}, ${bytes(byteCount ?? 0)}.${isOnly ? ' This is the only backup.' : ''}`;
    // A backup that is incomplete or failed can be deleted without a loss, so no confirmation is needed.
    if (state === 'complete' && !await ask({ title: 'Delete this backup?', text, action: 'Delete' })) return;
    const place = this.#backups.items.findIndex((each) => each.id === id);
    try {
      await api.delete(`/admin/backups/${id}`);
      await this.#ask();
      (this.#list.children[Math.min(place, this.#list.children.length - 1)] ?? this.heading).focus();
      notify(state === 'complete' ? 'Backup deleted.' : state === 'failed' ? 'Removed.' : 'Backup canceled.');
    } catch (error) {
      tellProblem(error);
    }
  }

  #show(backups) {
    this.#backups = backups;
    const [worried, current, last] = [worry(backups), running(backups), newest(backups)];
    const whole = backups.items.filter(({ state }) => state === 'complete');
    const room = whole.length > 0 && `${counted(whole.length, 'backup takes', 'backups take')} ${bytes(whole.reduce((sum, { byteCount }) => sum + byteCount, 0))}`;
    const free = backups.freeBytes !== null && `${bytes(backups.freeBytes)} free on the disk`;
    const isShort = free && last && backups.freeBytes < last.byteCount;
    this.#state.classList.toggle('is-late', Boolean(worried));
    this.#button.setAttribute('aria-disabled', Boolean(current));
    keepFocus(this.#state, icon(worried ? 'problem' : 'check'),
      el('div', { class: 'backups-words' },
        el('h2', {}, worried ?? `Backed up ${ago(last.createdAt)}`),
        el('p', {}, rule(backups)),
        (room || free) && el('p', {}, `${[room, free].filter(Boolean).join('; ')}${isShort ? ': not enough for another backup' : ''}.`)),
      this.#button);
    this.#draw();
  }

  /** Creates new rows only for backups that changed, so that other rows keep the focus. */
  #draw() {
    const rows = this.#backups.items.map((backup) => {
      const shows = JSON.stringify({ ...backup, progress: null });
      const known = this.#rows.get(backup.id);
      if (known?.shows === shows) {
        showProgress(known.row, backup);
        return known.row;
      }
      const row = backupRow(backup, () => this.#remove(backup));
      const hadFocus = known?.row.contains(document.activeElement);
      known?.row.replaceWith(row);
      if (hadFocus) row.focus({ preventScroll: true });
      this.#rows.set(backup.id, { row, shows });
      return row;
    });
    const isOther = rows.length !== this.#list.children.length || rows.some((row, index) => row !== this.#list.children[index]);
    if (isOther) keepFocus(this.#list, ...rows);
    this.#list.hidden = rows.length === 0;
  }
}

/** Replaces the children, and restores the focus if the focused element is one of the new children. */
function keepFocus(place, ...children) {
  const focused = document.activeElement;
  place.replaceChildren(...children.filter(Boolean));
  if (place.contains(focused)) focused.focus({ preventScroll: true });
}

customElements.define('admin-backups', AdminBackups);
