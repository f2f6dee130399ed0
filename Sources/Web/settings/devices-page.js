import { api } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { moment } from '../app/words.js';
import { ask } from '../elements/ask-dialog.js';
import { group } from '../elements/controls.js';
import { menu } from '../elements/menu.js';
import { notify } from '../elements/notice-bar.js';
import { problemNote } from '../elements/problem-note.js';
import { deviceName, isPhone } from './device-name.js';
import { SectionPage } from './section-page.js';

const days = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** When a session was last used. The server records this to the hour. */
function used(time) {
  const hours = (Date.now() - new Date(time).getTime()) / 3_600_000;
  if (hours < 2) return 'Used in the last hour';
  if (hours < 24) return `Used ${Math.floor(hours)} hours ago`;
  return `Used on ${days.format(new Date(time))}`;
}

/** Lists the user's sessions, and ends sessions on other devices. */
class DevicesPage extends SectionPage {
  #place = el('div', { class: 'groups' });
  #sessions = [];

  build() {
    this.section('Devices', this.#place);
    this.#load();
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      this.#sessions = (await api.get('/sessions')).items;
      this.#show();
    } catch (error) {
      this.#place.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }

  #show() {
    const [here, others] = [this.#sessions.filter((each) => each.current), this.#sessions.filter((each) => !each.current)];
    this.#place.replaceChildren(...[
      group('This device', el('ul', { class: 'card menu', role: 'list' }, ...here.map((each) => this.#row(each)))),
      others.length > 0 && group('Other devices', el('ul', { class: 'card menu', role: 'list' }, ...others.map((each) => this.#row(each)))),
      others.length > 0 && menu({ name: 'Sign out on all other devices', icon: 'sign-out', isDangerous: true, run: () => this.#endOthers(others) }),
      others.length === 0 && el('p', { class: 'group-note' }, 'You aren’t signed in on other devices.'),
    ].filter(Boolean));
  }

  #row(session) {
    const name = deviceName(session.userAgent);
    return el('li', { class: 'menu-row' },
      icon(isPhone(session.userAgent) ? 'phone' : 'device'),
      el('span', { class: 'menu-words' },
        el('span', { title: session.userAgent }, name),
        el('span', { class: 'menu-hint' }, session.current ? 'In use now' : used(session.lastUsedAt),
          ` · signed in ${days.format(new Date(session.createdAt))}`)),
      !session.current && el('button', {
        type: 'button', class: 'button is-small', 'aria-label': `Sign out: ${name}, signed in ${moment(session.createdAt)}`,
        onclick: () => this.#end([session]),
      }, 'Sign out'));
  }

  async #endOthers(others) {
    const isSure = await ask({
      title: 'Sign out on all other devices?', text: 'You stay signed in on this device.', action: 'Sign out',
    });
    if (isSure) await this.#end(others);
  }

  async #end(sessions) {
    try {
      for (const { id } of sessions) {
        await api.delete(`/sessions/${id}`).catch((error) => {
          // The session has already ended.
          if (error.status !== 404) throw error;
        });
        this.#sessions = this.#sessions.filter((each) => each.id !== id);
      }
      notify(sessions.length === 1 ? 'Device signed out.' : 'All other devices were signed out.');
    } catch (error) {
      tellProblem(error);
    }
    this.#show();
    this.heading.focus();
  }
}

customElements.define('devices-page', DevicesPage);
