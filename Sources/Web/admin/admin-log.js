import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { moment } from '../app/words.js';
import { emptyNote } from '../elements/problem-note.js';
import { AdminPage } from './admin-page.js';
import { actorOf, details, sentence, symbolOf } from './act-words.js';

/** The audit log of the admins, newest first. The server never deletes its entries. */
class AdminLog extends AdminPage {
  #list = el('ol', { class: 'acts card', role: 'list' });
  #more = el('button', { type: 'button', class: 'button', onclick: () => this.#next() }, 'Earlier');
  #cursor = null;
  /** The number of the latest request. Responses to earlier ones are ignored. */
  #turn = 0;

  get part() {
    return 'log';
  }

  get title() {
    return 'Log';
  }

  async begin() {
    this.#list.replaceChildren();
    await this.#ask(null);
    this.content.replaceChildren(...(this.#list.children.length > 0 ? [this.#list, this.#more]
      : [emptyNote('Nothing yet', 'Admin actions show up here.')]));
  }

  async #ask(cursor) {
    const turn = ++this.#turn;
    const page = await api.get('/admin/audit', { query: { limit: 50, cursor } });
    if (turn !== this.#turn) return;
    this.#list.append(...page.items.map(row));
    this.#cursor = page.nextCursor;
    this.#more.hidden = page.nextCursor === null;
  }

  async #next() {
    const before = this.#list.children.length;
    try {
      await this.#ask(this.#cursor);
      this.#list.children[before]?.focus();
    } catch (error) {
      tellProblem(error);
    }
  }
}

function row(act) {
  return el('li', { class: 'act', tabindex: -1 }, icon(symbolOf(act)),
    el('div', {},
      el('p', {}, el('bdi', { class: 'act-actor' }, actorOf(act)), ' ', ...sentence(act)),
      ...details(act).map((text) => el('p', { class: 'act-detail', dir: 'auto' }, text)),
      el('p', { class: 'act-facts' }, el('time', { datetime: act.at }, moment(act.at)),
        act.requestId && el('span', {}, ' · Request ', el('code', {}, act.requestId)))));
}

customElements.define('admin-log', AdminLog);
