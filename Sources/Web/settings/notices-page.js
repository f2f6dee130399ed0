import { el } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { preferences } from '../app/preferences.js';
import { store } from '../app/store.js';
import { redraw, toggle } from '../elements/controls.js';
import { SectionPage } from './section-page.js';

/** Selects the events that cause notifications. */
class NoticesPage extends SectionPage {
  #card = el('div', { class: 'card' });

  build() {
    this.section('Notifications', el('p', { class: 'group-note' }, 'Notify me about:'), this.#card);
  }

  connected() {
    this.watch('settings', () => !this.#card.contains(document.activeElement) && this.#show());
  }

  #show() {
    const { notifications } = store.get('settings');
    const entry = (kind, name, symbol) => toggle({
      name, icon: symbol, isOn: notifications[kind],
      change: (isOn) => preferences.change({ notifications: { [kind]: isOn } }).catch((error) => {
        tellProblem(error);
        this.#show();
      }),
    });
    redraw(this.#card,
      entry('likes', 'Likes of your memes', 'like'), entry('comments', 'Comments on your memes', 'comment'),
      entry('follows', 'New followers', 'account'));
  }
}

customElements.define('notices-page', NoticesPage);
