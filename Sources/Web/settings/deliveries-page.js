import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { to } from '../app/places.js';
import { notify } from '../elements/notice-bar.js';
import { duration, nameOfEvent, outcomeOf, stateOf } from './connection-words.js';
import { FreshPage } from './fresh-page.js';

await style('settings/connections.css');

const times = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'medium' });

/** The last attempts to deliver events of a connection, newest first. */
class DeliveriesPage extends FreshPage {
  #id = '';
  #head = el('p', { class: 'group-note' });
  #list = el('ol', { class: 'card deliveries', role: 'list', 'aria-label': 'Deliveries' });
  #none = el('p', { class: 'group-note' }, 'No deliveries yet.');
  #more = el('button', { type: 'button', class: 'button', onclick: () => this.#earlier() }, 'Show more');
  /** The ids of the attempts in the list. */
  #known = new Set();
  #next = null;

  get back() {
    return { href: to.settings('connections'), name: 'Connections' };
  }

  /** New attempts can be made at any time. */
  get isMoving() {
    return true;
  }

  build() {
    this.section('Deliveries');
  }

  enter({ id }) {
    this.#id = id;
    this.load();
  }

  async refresh() {
    const path = `/connections/${encodeURIComponent(this.#id)}`;
    const [connection, { items, nextCursor }] = await Promise.all([api.get(path), api.get(`${path}/deliveries`, { query: { limit: 50 } })]);
    this.#head.replaceChildren(el('bdi', {}, connection.name), `: ${stateOf(connection).word}`);
    const fresh = items.filter(({ id }) => !this.#known.has(id));
    // The list begins again if there are more new attempts than one page has.
    if (fresh.length === items.length) {
      this.#list.replaceChildren();
      this.#known.clear();
      this.#next = nextCursor;
    }
    this.#list.prepend(...fresh.map((each) => this.#row(each)));
    this.#showEnd();
  }

  show() {
    this.main.replaceChildren(this.#head, this.#none, this.#list, this.#more);
  }

  #showEnd() {
    this.#none.hidden = this.#known.size > 0;
    this.#list.hidden = this.#known.size === 0;
    this.#more.hidden = this.#next === null;
  }

  async #earlier() {
    const before = this.#list.children.length;
    try {
      const path = `/connections/${encodeURIComponent(this.#id)}/deliveries`;
      const { items, nextCursor } = await api.get(path, { query: { limit: 50, cursor: this.#next } });
      this.#next = nextCursor;
      this.#list.append(...items.filter(({ id }) => !this.#known.has(id)).map((each) => this.#row(each)));
      this.#showEnd();
      this.#list.children[before]?.focus();
    } catch (error) {
      tellProblem(error);
    }
  }

  #row(delivery) {
    const { id, type, outcome, error, durationMs, attemptedAt } = delivery;
    this.#known.add(id);
    const time = times.format(new Date(attemptedAt));
    return el('li', { class: `delivery is-${outcome}`, tabindex: -1 },
      icon(outcome === 'delivered' ? 'check' : 'problem'),
      el('div', { class: 'delivery-words' },
        el('p', { class: 'delivery-name' }, nameOfEvent(type)),
        el('p', { class: 'delivery-facts' }, outcomeOf(delivery)),
        el('p', { class: 'delivery-facts' }, el('time', { datetime: attemptedAt }, time), ` · ${duration(durationMs)}`),
        error && el('p', { class: 'delivery-facts', dir: 'auto' }, error)),
      el('button', {
        type: 'button', class: 'button is-small', 'aria-label': `Deliver again: ${nameOfEvent(type)}, ${time}`, onclick: () => this.#again(id),
      }, 'Deliver again'));
  }

  async #again(id) {
    try {
      await api.post(`/deliveries/${id}/actions/retry`);
      notify('It will be delivered again.');
      await this.follow();
    } catch (error) {
      tellProblem(error);
    }
  }
}

customElements.define('deliveries-page', DeliveriesPage);
