import { api } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { live } from '../app/live.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note, problemNote } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { notificationItem } from './notification-item.js';

await style('styles/cards.css', 'people/people.css');

/** Lists what other people did with the user's memes and profile. Marks shown notifications as read. */
class NotificationsPage extends Page {
  #cursor = null;
  #isAsking = false;
  #list = el('ul', { class: 'tolds', role: 'list' });
  #rest = el('div');
  #main = el('main', { class: 'column is-flush' }, this.#list, this.#rest);

  build() {
    this.append(el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'Notifications')), this.#main);
    this.#ask();
  }

  connected() {
    this.listen(live, 'refresh', () => this.#ask());
    const observer = new IntersectionObserver(
      ([entry]) => entry.isIntersecting && this.#cursor && this.#ask(this.#cursor), { rootMargin: '600px' });
    observer.observe(this.#rest);
    this.lifetime.addEventListener('abort', () => observer.disconnect());
  }

  returned(focused) {
    super.returned(focused);
    this.#ask();
  }

  /** Requests a page. Without a cursor, the newest page replaces the whole list. */
  async #ask(cursor = null) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#main.setAttribute('aria-busy', String(this.#list.childElementCount === 0));
    try {
      const page = await api.get('/notifications', { query: { cursor } });
      this.#cursor = page.nextCursor;
      this.#show(page, cursor !== null);
      if (cursor === null && page.unread > 0 && page.items.length > 0) await this.#read(page.items[0].id);
    } catch (error) {
      this.#rest.replaceChildren(problemNote(error, () => this.#ask(cursor)));
    }
    this.#isAsking = false;
    this.#main.removeAttribute('aria-busy');
  }

  #show({ items, nextCursor }, isMore) {
    const elements = items.map(notificationItem);
    if (isMore) this.#list.append(...elements);
    else {
      const place = [...this.#list.children].findIndex((each) => each.contains(document.activeElement));
      this.#list.replaceChildren(...elements);
      if (place >= 0) elements[Math.min(place, elements.length - 1)]?.querySelector('a').focus({ preventScroll: true });
    }
    this.#list.hidden = this.#list.childElementCount === 0;
    const isEmpty = this.#list.hidden && nextCursor === null;
    this.#rest.replaceChildren(...(isEmpty ? [note('bell', 'Nothing new', 'Likes, comments and new followers show up here.')] : []));
  }

  /** Marks notifications as read on the server. In the list they stay marked as new. */
  async #read(id) {
    if (!this.isShown) return;
    await api.put('/notifications/read', { json: { through: id } });
    store.set('unread', 0);
  }
}

customElements.define('notifications-page', NotificationsPage);
