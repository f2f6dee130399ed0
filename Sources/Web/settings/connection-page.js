import { api } from '../app/api.js';
import { el, icon, style } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { to } from '../app/places.js';
import { ask } from '../elements/ask-dialog.js';
import { group } from '../elements/controls.js';
import { FieldForm } from '../elements/field-form.js';
import { notify } from '../elements/notice-bar.js';
import { placeFields } from './connection-form.js';
import { sends } from './connection-words.js';
import { FreshPage } from './fresh-page.js';
import { mappingFields } from './mapping-fields.js';
import { save } from './save-file.js';

await style('settings/connections.css');

/** The server allows no more mappings in a connection, and no larger file. */
const most = { mappings: 20, bytes: 65_536 };

/** Changes a connection: its name and URL, and its mappings, which say what it sends. */
class ConnectionPage extends FreshPage {
  #path = '';
  #connection = null;
  #place = el('div', { class: 'card form-card' });
  #list = el('ul', { class: 'connections', role: 'list' });
  #none = el('p', { class: 'group-note' }, 'It sends nothing.');
  #add = el('button', { type: 'button', class: 'button', onclick: () => this.#begin() }, icon('add'), 'Add events');
  #file = el('input', {
    type: 'file', accept: 'application/json,.json', class: 'only-read', 'aria-label': 'Import a file', onchange: () => this.#import(),
  });
  /** The forms by the ids of mappings, with the data that they show. @type {Map<string, {card: Element, shows: string}>} */
  #cards = new Map();
  /** The name and the URL that the form shows. */
  #shown = '';

  get back() {
    return { href: to.settings('connections'), name: 'Connections' };
  }

  build() {
    this.section('Edit connection');
  }

  enter({ id }) {
    this.#path = `/connections/${encodeURIComponent(id)}`;
    this.load();
  }

  async refresh() {
    this.#draw(await api.get(this.#path));
  }

  show() {
    this.main.replaceChildren(
      group('Connection', this.#place),
      group('What it sends', this.#none, this.#list, this.#add),
      group('Copy the events to another connection', el('div', { class: 'card form-card form' },
        el('p', {}, 'The file contains what this connection sends, and neither its URL nor its secret.'),
        el('div', { class: 'connection-acts' },
          el('button', { type: 'button', class: 'button', onclick: () => this.#export() }, icon('download'), 'Export'),
          el('label', { class: 'button file-button' }, this.#file, 'Import')))));
  }

  /** Shows the connection. Forms without a change stay as they are, with what the user has typed. */
  #draw(connection) {
    this.#connection = connection;
    const { name, url, mappings } = connection;
    const format = mappings[0]?.format ?? 'json';
    const shown = JSON.stringify([name, url, format]);
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.#place.replaceChildren(new FieldForm({
        fields: placeFields({ name, url, format }), action: 'Save', send: (values) => this.#change(values),
      }));
    }
    const ids = new Set(mappings.map(({ id }) => id));
    for (const [id, { card }] of this.#cards) {
      if (ids.has(id)) continue;
      card.remove();
      this.#cards.delete(id);
    }
    for (const mapping of mappings) {
      const shows = JSON.stringify([mapping.events, mapping.filter, mapping.format, mapping.fields]);
      const known = this.#cards.get(mapping.id);
      if (known?.shows === shows) continue;
      const card = this.#card(mapping);
      if (known) known.card.replaceWith(card);
      else this.#list.append(card);
      this.#cards.set(mapping.id, { card, shows });
    }
    this.#count();
  }

  #count() {
    this.#none.hidden = this.#list.children.length > 0;
    this.#list.hidden = !this.#none.hidden;
    this.#add.hidden = this.#list.children.length >= most.mappings;
  }

  #card(mapping) {
    const name = sends(mapping);
    const { fields, terms } = mappingFields({ isAll: this.#connection.scope === 'all', mapping });
    return el('li', { class: 'card form-card mapping', tabindex: -1, 'aria-label': name },
      new FieldForm({
        fields, action: 'Save', send: async () => {
          await api.put(`/mappings/${mapping.id}`, { json: terms() });
          await this.#saved(mapping.id);
        },
        more: [mapping.fields && el('p', { class: 'is-quiet' }, 'Your program set which parts of a meme are sent. They stay.')],
      }),
      el('button', {
        type: 'button', class: 'button is-wide', 'aria-label': `Delete: ${name}`, onclick: () => this.#remove(mapping),
      }, icon('delete'), 'Delete'));
  }

  /** Shows an empty form for further events. */
  #begin() {
    const { fields, terms } = mappingFields({ isAll: this.#connection.scope === 'all' });
    const card = el('li', { class: 'card form-card mapping', tabindex: -1, 'aria-label': 'New events' },
      new FieldForm({
        fields, action: 'Add', send: async () => {
          const { id } = await api.post(`${this.#path}/mappings`, { json: terms() });
          card.remove();
          await this.#saved(id);
        },
      }),
      el('button', {
        type: 'button', class: 'button is-wide', onclick: () => {
          card.remove();
          this.#count();
          this.#add.focus();
        },
      }, 'Cancel'));
    this.#list.append(card);
    this.#count();
    card.focus();
  }

  async #change({ name, url }) {
    this.#draw(await api.patch(this.#path, { json: { name: name.trim(), url: url.trim() } }));
    notify('Saved.');
  }

  async #saved(id) {
    await this.refresh();
    notify('Saved.');
    this.#cards.get(id)?.card.focus();
  }

  async #remove(mapping) {
    const isSure = await ask({ title: 'Delete these events?', text: `${sends(mapping)}. Events that wait are not sent.`, action: 'Delete' });
    if (!isSure) return;
    await this.#act(async () => {
      await api.delete(`/mappings/${mapping.id}`).catch((error) => {
        // It was deleted elsewhere.
        if (error.status !== 404) throw error;
      });
      await this.refresh();
      notify('Deleted.');
      this.heading.focus();
    });
  }

  async #export() {
    await this.#act(async () => {
      const exported = await api.get(`${this.#path}/actions/export`);
      save(new Blob([JSON.stringify(exported, null, 2)], { type: 'application/json' }), 'mappings.json');
    });
  }

  async #import() {
    const [file] = this.#file.files;
    // The same file can be chosen again.
    const text = file && file.size <= most.bytes ? await file.text() : '';
    this.#file.value = '';
    let json;
    try {
      json = JSON.parse(text);
    } catch {
      notify('This file is not an export of a connection.');
      return;
    }
    await this.#act(async () => {
      this.#draw(await api.post(`${this.#path}/actions/import`, { json }));
      notify('Imported.');
    });
  }

  /** Does work, and reports problems. */
  async #act(work) {
    try {
      await work();
    } catch (error) {
      tellProblem(error);
    }
  }
}

customElements.define('connection-page', ConnectionPage);
