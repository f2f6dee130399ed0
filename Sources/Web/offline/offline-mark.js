import { el, icon } from '../app/dom.js';
import { Part } from '../app/part.js';
import { reach } from './reach.js';

/** Shows above every page that the server does not respond. The document has one such element. */
class OfflineMark extends Part {
  #text = el('p', { role: 'status' });
  #content = el('div', { class: 'offline-mark', hidden: true }, icon('offline'), this.#text,
    el('button', { type: 'button', class: 'offline-look', onclick: () => reach.look() }, 'Try again'));

  build() {
    this.append(this.#content);
  }

  connected() {
    this.watch('isReached', (isReached) => {
      this.#content.hidden = isReached;
      document.documentElement.toggleAttribute('data-offline', !isReached);
      this.#text.textContent = isReached ? '' : navigator.onLine ? 'The server isn’t responding' : 'You are offline';
    });
  }
}

customElements.define('offline-mark', OfflineMark);
