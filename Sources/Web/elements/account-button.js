import { el, icon } from '../app/dom.js';
import { to } from '../app/places.js';
import { Part } from '../app/part.js';
import { store } from '../app/store.js';
import { counted } from '../app/words.js';

/** The link to the user's own pages, at the top left of the first page: the avatar and the unread count. */
class AccountButton extends Part {
  #link = el('a', { class: 'icon-button account-button', href: to.you() });

  build() {
    this.classList.add('bar-start');
    this.append(this.#link);
  }

  connected() {
    for (const name of ['person', 'unread']) this.watch(name, () => this.#show());
  }

  #show() {
    const [person, unread] = [store.get('person'), store.get('unread') ?? 0];
    const news = unread >= 100 ? '99+' : String(unread);
    this.#link.setAttribute('aria-label', unread > 0 ? `You, ${counted(unread, 'new notification')}` : 'You');
    this.#link.replaceChildren(
      person ? el('img', { class: 'avatar', src: person.avatarUrl, alt: '', width: 32, height: 32 }) : icon('account'),
      ...(unread > 0 ? [el('span', { class: 'badge', 'aria-hidden': 'true' }, news)] : []));
  }
}

customElements.define('account-button', AccountButton);
