import { el } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { preferences } from '../app/preferences.js';
import { toggle } from '../elements/controls.js';
import { SectionPage } from './section-page.js';

/** What one is told of. */
class NoticesPage extends SectionPage {
  #card = el('div', { class: 'card' });

  build() {
    this.section('Notifications', el('p', { class: 'group-note' }, 'What you are told of when others do it:'), this.#card);
  }

  connected() {
    this.watch('settings', ({ notifications }) => this.#show(notifications));
  }

  #show(notifications) {
    if (this.#card.contains(document.activeElement)) return;
    const entry = (kind, name, symbol) => toggle({
      name, icon: symbol, isOn: notifications[kind],
      change: (isOn) => preferences.change({ notifications: { [kind]: isOn } }).catch(tellProblem),
    });
    this.#card.replaceChildren(
      entry('likes', 'Likes of your memes', 'like'), entry('comments', 'Comments on your memes', 'comment'),
      entry('follows', 'People who follow you', 'account'));
  }
}

customElements.define('notices-page', NoticesPage);
