import { el, icon } from '../app/dom.js';
import { live } from '../app/live.js';
import { MemeList } from '../app/meme-list.js';
import { deleteMeme, mayDelete, tellRefreshed } from '../app/memes.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { store } from '../app/store.js';
import { outbox } from '../offline/outbox.js';
import { takeBack, waitingItem, withWaiting } from '../offline/waiting.js';
import { emptyNote, problemNote } from '../elements/problem-note.js';
import { moveByKey, placeOf } from '../elements/list-keys.js';
import { tabBar } from '../elements/tab-bar.js';
import '../elements/account-button.js';
import '../elements/windowed-list.js';
import { memeViews } from './meme-views.js';

/**
 * The first page: the memes of the signed-in user, or else all visible memes, as a table or as a grid. Each tab keeps
 * its own scroll position.
 */
class SentPage extends Page {
  /**
   * @type {Map<string,
   *   {memes: MemeList, list: import('../elements/windowed-list.js').WindowedList, scroll: number}>}
   */
  #tabs = new Map();
  #view = 'table';
  /** The uploads that are not sent yet, as list items. */
  #waiting = [];
  #main = el('main', { class: 'sent' });
  #lists = el('div');
  #note = el('div');
  #tabBar = el('nav');
  /** Aborts when the user changes, because the lists belong to one user. */
  #person = new AbortController();

  build() {
    const refresh = el('button', {
      type: 'button', class: 'icon-button', 'aria-label': 'Refresh', onclick: () => this.#refresh(true),
    }, icon('refresh'));
    this.append(
      el('header', { class: 'bar' },
        document.createElement('account-button'), el('h1', { tabindex: -1 }, 'Sent Memes'),
        el('div', { class: 'bar-actions' }, refresh,
          el('a', { class: 'icon-button', href: to.editor(), 'aria-label': 'Add a meme' }, icon('add')))),
      this.#main, this.#tabBar);
    this.#main.append(this.#lists, this.#note);
  }

  connected() {
    this.listen(live, 'refresh', () => this.#refresh(false));
    this.listen(store, 'person', () => this.#begin());
    this.#readWaiting();
    this.listen(outbox, 'change', () => {
      this.#readWaiting();
      this.#changed(this.#tab);
    });
    this.listen(outbox, 'sent', () => this.#refresh(false));
    this.listen(this, 'keydown', (event) => this.#keyDown(event));
  }

  enter({ view }) {
    const left = this.#tabs.get(this.#view);
    if (left) left.scroll = window.scrollY;
    this.#view = view;
    const tabs = tabBar('Views', [
      { name: 'Table', icon: 'table', href: to.table(), isCurrent: view === 'table' },
      { name: 'Grid', icon: 'grid', href: to.grid(), isCurrent: view === 'grid' },
    ]);
    const hadFocus = this.#tabBar.contains(document.activeElement);
    this.#tabBar.replaceWith(tabs);
    this.#tabBar = tabs;
    if (hadFocus) tabs.querySelector('[aria-current]').focus();
    this.#show();
    window.scrollTo({ top: this.#tab.scroll, behavior: 'instant' });
  }

  returned(focused) {
    this.#show();
    // If the focused meme was deleted, the focus moves to the meme in its place.
    const place = focused && !focused.isConnected ? placeOf(focused) : undefined;
    super.returned(place === undefined ? focused : this.#linkNear(place));
  }

  /** The current tab. Created on first access. */
  get #tab() {
    const known = this.#tabs.get(this.#view);
    if (known) return known;
    const [view, person] = [this.#view, store.get('person')];
    const lifetime = AbortSignal.any([this.lifetime, this.#person.signal]);
    const memes = new MemeList('/memes', person ? { author: 'me', view } : { view }, {
      lifetime, takes: (meme) => (person ? meme.author?.username === person.username : meme.visibility === 'public'),
    });
    const list = Object.assign(document.createElement('windowed-list'), withWaiting(memeViews[view], view));
    list.setAttribute('aria-label', 'Memes');
    this.#lists.append(list);
    const tab = { memes, list, scroll: 0 };
    this.#tabs.set(view, tab);
    memes.addEventListener('change', () => this.#changed(tab), { signal: lifetime });
    list.addEventListener('end', () => {
      if (!memes.problem) memes.more();
    });
    memes.more();
    return tab;
  }

  #readWaiting() {
    const known = new Map(this.#waiting.map((item) => [item.id, item]));
    // An unchanged item stays the same object, so that the list does not redraw it.
    this.#waiting = outbox.entries.map(waitingItem).map((item) => {
      const before = known.get(item.id);
      return before?.entry === item.entry && before.part === item.part ? before : item;
    });
  }

  /** Replaces the lists after the user signed in or out. */
  #begin() {
    this.#person.abort();
    this.#person = new AbortController();
    for (const { list } of this.#tabs.values()) list.remove();
    this.#tabs.clear();
    this.#show();
  }

  #show() {
    const shown = this.#tab;
    for (const { list } of this.#tabs.values()) list.hidden = list !== shown.list;
    this.#changed(shown);
  }

  #changed(tab) {
    if (tab !== this.#tabs.get(this.#view)) return;
    const { memes, list } = tab;
    const lost = this.isShown && list.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
    list.show(this.#items(memes), memes.isWhole);
    this.#main.setAttribute('aria-busy', String(!memes.hasBegun));
    this.#note.replaceChildren(...this.#notes(memes));
    // The focused item was deleted, so the focus moves to the item in its place.
    if (lost !== undefined && !list.contains(document.activeElement)) {
      (this.#linkNear(lost) ?? this.heading).focus({ preventScroll: true });
    }
  }

  #items(memes) {
    return this.#waiting.length > 0 ? [...this.#waiting, ...memes.items] : memes.items;
  }

  #notes(memes) {
    if (memes.problem) return [problemNote(memes.problem, () => memes.retry())];
    if (!memes.hasBegun) return [];
    if (this.#items(memes).length > 0 || !memes.isWhole) return [];
    return [emptyNote('No memes yet', 'Memes you make show up here.',
      el('a', { class: 'button is-main', href: to.editor() }, icon('add'), 'Make a meme'))];
  }

  /** @param {boolean} isAsked whether the user pressed the button and expects a notice */
  async #refresh(isAsked) {
    if (isAsked) window.scrollTo({ top: 0 });
    await Promise.all([...this.#tabs.values()].map((tab) => tab.memes.refresh()));
    if (isAsked) tellRefreshed(this.#tab.memes.problem);
  }

  #keyDown(event) {
    const { list, memes } = this.#tab;
    if (moveByKey(event, list) || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.#items(memes)[placeOf(event.target)];
    if (item && ['Delete', 'Backspace'].includes(event.key) && (item.entry || mayDelete(item))) {
      event.preventDefault();
      if (item.entry) takeBack(item.entry);
      else deleteMeme(item.id);
    }
  }

  #linkAt(place) {
    return this.#tab.list.reveal(place)?.querySelector('a');
  }

  #linkNear(place) {
    return this.#linkAt(Math.min(place, this.#items(this.#tab.memes).length - 1));
  }
}

customElements.define('sent-page', SentPage);
