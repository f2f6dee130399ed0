import { api } from '../app/api.js';
import { el } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { emptyNote } from '../elements/problem-note.js';
import { notify } from '../elements/notice-bar.js';
import { AdminPage } from './admin-page.js';
import { acts } from './report-acts.js';
import { reportCard } from './report-card.js';

const states = [['open', 'Open'], ['resolved', 'Resolved'], ['dismissed', 'Dismissed']];
const none = {
  open: ['All clear', 'No open reports.'], resolved: ['None', 'No resolved reports yet.'],
  dismissed: ['None', 'No dismissed reports yet.'],
};

/** Lists reports for the admins, newest first, with the actions for each. */
class AdminReports extends AdminPage {
  #status = 'open';
  #items = [];
  #cursor = null;
  #list = el('ul', { class: 'reports', role: 'list' });
  #note = el('div');
  #more = el('button', { type: 'button', class: 'button', hidden: true, onclick: () => this.#next() }, 'More reports');
  #states = el('fieldset', { class: 'states' }, el('legend', { class: 'only-read' }, 'Which reports'),
    ...states.map(([value, name]) => el('label', { class: 'state' },
      el('input', { type: 'radio', name: 'report-state', value, checked: value === 'open', onchange: () => this.#choose(value) }),
      el('span', {}, name))));

  get part() {
    return 'reports';
  }

  get title() {
    return 'Reports';
  }

  async begin() {
    this.content.replaceChildren(this.#states, this.#list, this.#note, this.#more);
    this.#items = [];
    await this.#ask(null);
  }

  #choose(status) {
    this.#status = status;
    this.#items = [];
    this.#draw();
    this.#ask(null).catch(tellProblem);
  }

  async #ask(cursor) {
    const status = this.#status;
    const page = await api.get('/admin/reports', { query: { status, cursor } });
    if (status !== this.#status) return;
    const known = new Set(cursor ? this.#items.map(({ id }) => id) : []);
    this.#items = [...(cursor ? this.#items : []), ...page.items.filter(({ id }) => !known.has(id))];
    this.#cursor = page.nextCursor;
    this.#draw(true);
  }

  async #next() {
    const before = this.#items.length;
    try {
      await this.#ask(this.#cursor);
      this.#list.children[before]?.querySelector('h2')?.focus();
    } catch (error) {
      tellProblem(error);
    }
  }

  #draw(isAnswered = false) {
    this.#list.replaceChildren(...this.#items.map((report) => reportCard(report, acts(report), (act) => this.#do(act, report))));
    this.#note.replaceChildren(...(isAnswered && this.#items.length === 0 ? [emptyNote(...none[this.#status])] : []));
    this.#more.hidden = !(isAnswered && this.#cursor);
  }

  /** Runs an action on a report. Removes the report from this list, with all others that the action closed too. */
  async #do(act, report) {
    const place = this.#items.indexOf(report);
    try {
      const outcome = await act.run(report);
      if (!outcome) return;
      this.#items = this.#items.filter((other) => other !== report && !(outcome.isForAll && isSame(other.subject, report.subject)));
      this.#draw(true);
      const next = this.#list.children[Math.min(place, this.#items.length - 1)];
      (next?.querySelector('h2') ?? this.heading).focus({ preventScroll: false });
      notify(outcome.told, outcome.more);
    } catch (error) {
      tellProblem(error);
    }
    // Further reports may follow those that were closed.
    if (this.#items.length === 0 && this.#cursor) this.#ask(null).catch(tellProblem);
  }
}

const isSame = (one, other) => one.kind === other.kind && one.id === other.id && one.username === other.username;

customElements.define('admin-reports', AdminReports);
