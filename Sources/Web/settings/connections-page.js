import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { store } from '../app/store.js';
import { ask } from '../elements/ask-dialog.js';
import { group } from '../elements/controls.js';
import { notify } from '../elements/notice-bar.js';
import { note } from '../elements/problem-note.js';
import { copy } from '../share/targets.js';
import { connectionCard } from './connection-card.js';
import { connectionForm } from './connection-form.js';
import { reloadable } from './connection-words.js';
import { FreshPage } from './fresh-page.js';

await style('settings/connections.css');

const unavailable = {
  'connections-off': 'This server sends no events to other programs.',
  forbidden: 'On this server, only admins can have connections.',
};

/** Adds connections, shows the secret of a new one, and lists, pauses, restarts and deletes them. */
class ConnectionsPage extends FreshPage {
  #form = el('div', { class: 'card form-card' });
  /** The secret of a connection. The server shows it only once. */
  #secret = el('div', { 'aria-live': 'polite' });
  #list = el('ul', { class: 'connections', role: 'list' });
  #none = el('p', { class: 'group-note' }, 'No connections.');
  #items = [];
  /** The cards by the ids of connections, with the data that they show. @type {Map<string, {card: Element, shows: string}>} */
  #cards = new Map();
  /** Counts the user's changes. A list that was requested before a change is out of date. */
  #changes = 0;
  /** The ids of connections with an action that has not ended. */
  #busy = new Set();
  #acts = {
    pause: (connection) => this.#call(connection, 'pause', 'Paused. Events are kept for 7 days.'),
    resume: (connection) => this.#call(connection, 'resume', 'Resumed.'),
    restart: (connection) => this.#call(connection, 'restart', 'Restarted. The next attempt is made now.'),
    reload: (connection) => this.#reload(connection),
    changeSecret: (connection) => this.#changeSecret(connection),
    remove: (connection) => this.#remove(connection),
  };

  build() {
    this.section('Connections');
    this.load();
  }

  get isMoving() {
    return this.#items.some(({ state, lag, mappingsState }) => lag > 0 || state === 'failing' || mappingsState === 'reloading');
  }

  async refresh() {
    const changes = this.#changes;
    const { items } = await api.get('/connections');
    if (changes !== this.#changes) return;
    this.#items = items;
    this.#draw();
  }

  show() {
    this.#showForm();
    this.main.replaceChildren(
      el('p', { class: 'group-note' }, 'Send new memes to Slack, Discord or your own program.'),
      this.#secret, group('Your connections', this.#none, this.#list), group('New connection', this.#form));
  }

  note(error) {
    const isAdmin = store.get('person')?.role === 'admin';
    const text = error.code === 'forbidden' && isAdmin ? null : unavailable[error.code];
    return text ? note('link', 'You can’t have connections here', text) : super.note(error);
  }

  #showForm() {
    this.#form.replaceChildren(connectionForm({
      isAdmin: store.get('person')?.role === 'admin', send: (terms, mapping) => this.#add(terms, mapping),
    }));
  }

  async #add(terms, { format, ...more }) {
    const { secret, ...made } = await api.post('/connections', { json: terms });
    const path = `/connections/${made.id}`;
    let mapping;
    try {
      mapping = await api.post(`${path}/mappings`, { json: { format, ...more } });
    } catch (error) {
      // A connection without events is of no use. The user can send the form again.
      await api.delete(path).catch(() => {});
      throw error;
    }
    this.#showForm();
    if (format === 'json') this.#showSecret(terms.name, secret, 'Copy this secret now. It is shown only once.');
    else this.#secret.replaceChildren();
    const connection = await api.get(path).catch(() => ({ ...made, state: 'running', mappings: [mapping] }));
    this.#replace(connection);
    notify('Connection added.');
    if (format !== 'json') this.#cards.get(made.id).card.focus();
  }

  #showSecret(name, value, text) {
    const secret = el('input', { class: 'field', readonly: true, value, dir: 'ltr', 'aria-label': 'Secret' });
    this.#secret.replaceChildren(group('New secret', el('div', { class: 'card form-card form' },
      el('p', {}, text), el('p', {}, 'Your program needs it to check that events of “', el('bdi', {}, name), '” come from this server.'), secret,
      el('button', { type: 'button', class: 'button', onclick: () => this.#copy(secret) }, icon('key'), 'Copy secret'))));
    secret.focus();
    secret.select();
  }

  async #copy(secret) {
    if (await copy(Promise.resolve(secret.value))) return notify('Secret copied.');
    // Pages without HTTPS have no clipboard: the user copies the selected text.
    secret.focus();
    secret.select();
  }

  #call(connection, action, text) {
    return this.#act(connection, async ({ id }) => {
      this.#replace(await api.post(`/connections/${id}/actions/${action}`));
      notify(text);
    });
  }

  async #reload(connection) {
    const isSure = await ask({
      title: 'Send all memes again?', text: `“${connection.name}” gets each meme as a new one, oldest first.`, action: 'Send all',
    });
    if (!isSure) return;
    await this.#act(connection, async ({ id }) => {
      for (const mapping of reloadable(connection)) await api.post(`/mappings/${mapping.id}/actions/reload`);
      this.#replace(await api.get(`/connections/${id}`));
      notify('All memes are being sent again.');
    });
  }

  async #changeSecret(connection) {
    const isSure = await ask({
      title: `Change the secret of “${connection.name}”?`, text: 'The old secret works for 24 more hours.', action: 'Change secret',
    });
    if (!isSure) return;
    await this.#act(connection, async ({ id, name }) => {
      const { secret, ...changed } = await api.put(`/connections/${id}/secret`, { json: {} });
      this.#replace(changed);
      this.#showSecret(name, secret, 'Copy this secret now. It is shown only once. The old one works for 24 more hours.');
    });
  }

  async #remove(connection) {
    const { id, name } = connection;
    const text = 'Events that wait are not sent, and the list of deliveries is deleted.';
    if (!await ask({ title: `Delete “${name}”?`, text, action: 'Delete' })) return;
    await this.#act(connection, async () => {
      await api.delete(`/connections/${id}`).catch((error) => {
        // It was deleted elsewhere.
        if (error.status !== 404) throw error;
      });
      this.#changes += 1;
      this.#items = this.#items.filter((each) => each.id !== id);
      this.#secret.replaceChildren();
      this.#draw();
      notify('Connection deleted.');
      this.heading.focus();
    });
  }

  /** Does work for a connection, unless earlier work for it has not ended. Reports problems. */
  async #act(connection, work) {
    const { id } = connection;
    if (this.#busy.has(id)) return;
    this.#busy.add(id);
    try {
      await work(connection);
    } catch (error) {
      tellProblem(error);
    } finally {
      this.#busy.delete(id);
    }
    // The action starts deliveries, or another device has changed or deleted the connection.
    await this.follow();
  }

  /** Shows a connection as the server has it now. */
  #replace(connection) {
    this.#changes += 1;
    const place = this.#items.findIndex(({ id }) => id === connection.id);
    this.#items = place < 0 ? [...this.#items, connection] : this.#items.with(place, connection);
    this.#draw();
  }

  /** Shows the connections. Cards without a change stay as they are. */
  #draw() {
    const ids = new Set(this.#items.map(({ id }) => id));
    for (const [id, { card }] of this.#cards) {
      if (ids.has(id)) continue;
      card.remove();
      this.#cards.delete(id);
    }
    for (const connection of this.#items) {
      const shows = JSON.stringify(connection);
      const known = this.#cards.get(connection.id);
      if (known?.shows === shows) continue;
      const card = connectionCard(connection, this.#acts);
      if (known) swap(known.card, card);
      else this.#list.append(card);
      this.#cards.set(connection.id, { card, shows });
    }
    this.#none.hidden = this.#items.length > 0;
    this.#list.hidden = this.#items.length === 0;
  }
}

/** Replaces a card. The control at the position of the focused one gets the focus. */
function swap(before, after) {
  const controls = (card) => [...card.querySelectorAll('button, a')];
  const focused = controls(before).indexOf(document.activeElement);
  const hadFocus = before === document.activeElement;
  before.replaceWith(after);
  if (focused >= 0) (controls(after)[focused] ?? after).focus({ preventScroll: true });
  else if (hadFocus) after.focus({ preventScroll: true });
}

customElements.define('connections-page', ConnectionsPage);
