import { api } from '../app/api.js';
import { el, style } from '../app/dom.js';
import { live } from '../app/live.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { note, problemNote } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import { groupKey, notificationItem } from './notification-item.js';

await style('styles/cards.css', 'people/people.css');

/** Lists what other people did with the user's memes and profile. Marks shown notifications as read. */
class NotificationsPage extends Page {
  #cursor = null;
  #isAsking = false;
  /** Whether the list may include some of people who are hidden now. The next refresh replaces all of it. */
  #isOutdated = false;
  /** Requests the next page when the end of the list comes into view. */
  #observer = new IntersectionObserver(
    (entries) => entries.at(-1).isIntersecting && this.#cursor && this.#ask(this.#cursor), { rootMargin: '600px' });
  #list = el('ul', { class: 'tolds', role: 'list' });
  #rest = el('div');
  #main = el('main', { class: 'column is-flush' }, this.#list, this.#rest);

  build() {
    this.append(el('header', { class: 'bar' }, backLink(to.you(), 'You'), el('h1', { tabindex: -1 }, 'Notifications')), this.#main);
    this.#ask();
  }

  connected() {
    this.listen(store, 'meme', ({ detail }) => { this.#isOutdated ||= detail.kind === 'people'; });
    this.listen(live, 'refresh', () => this.#ask());
    this.#observer.observe(this.#rest);
    this.lifetime.addEventListener('abort', () => this.#observer.disconnect());
  }

  returned(focused) {
    super.returned(focused);
    this.#ask();
  }

  /** Requests a page: the next one, or without a cursor the newest one. */
  async #ask(cursor = null) {
    if (this.#isAsking) return;
    this.#isAsking = true;
    this.#main.setAttribute('aria-busy', String(this.#list.childElementCount === 0));
    let isMissed = false;
    try {
      const page = await visiblePage(cursor);
      this.#show(page, cursor !== null);
      if (cursor === null && page.unread > 0 && page.items.length > 0) await this.#read(page.items[0].id);
    } catch (error) {
      isMissed = true;
      this.#rest.replaceChildren(problemNote(error, () => this.#ask(cursor)));
    }
    this.#isAsking = false;
    this.#main.removeAttribute('aria-busy');
    if (isMissed || !this.isConnected) return;
    // The end may still be in view, and the observer reports only changes.
    this.#observer.unobserve(this.#rest);
    this.#observer.observe(this.#rest);
  }

  /** Shows a page. The newest one replaces the items in its range, so that the user keeps the place in the list. */
  #show({ items, nextCursor }, isMore) {
    const keys = items.map(groupKey);
    const shown = [...this.#list.children];
    const focused = shown.find((each) => each.contains(document.activeElement));
    const oldest = items.at(-1)?.updatedAt;
    const isMerged = !isMore && !this.#isOutdated && nextCursor !== null && shown.some((each) => each.dataset.at >= oldest);
    if (!isMore) this.#isOutdated = false;
    for (const each of shown) {
      // A group with a new action has moved to the front.
      const isKept = !keys.includes(each.dataset.group) && (isMore || (isMerged && each.dataset.at <= oldest));
      if (!isKept) each.remove();
    }
    this.#list[isMore ? 'append' : 'prepend'](...items.map(notificationItem));
    if (!isMerged) this.#cursor = nextCursor;
    if (focused && !focused.isConnected) {
      const next = this.#list.querySelector(`[data-group="${CSS.escape(focused.dataset.group)}"]`)
        ?? this.#list.children[Math.min(shown.indexOf(focused), this.#list.childElementCount - 1)];
      next?.querySelector('a').focus({ preventScroll: true });
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

/** The page after a cursor. A page may be empty before the end of the list: it leaves out blocked people. */
async function visiblePage(cursor) {
  let page;
  do {
    page = await api.get('/notifications', { query: { cursor } });
    cursor = page.nextCursor;
  } while (page.items.length === 0 && cursor);
  return page;
}

customElements.define('notifications-page', NotificationsPage);
