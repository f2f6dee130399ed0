import { Problem } from './problem.js';
import { placeAt, shownAt, to } from './places.js';
import { store } from './store.js';
import { notify } from '../elements/notice-bar.js';

/**
 * @typedef {object} Entry
 * @property {import('./page.js').Page} page
 * @property {import('./places.js').Place} place
 * @property {number} scroll
 * @property {Element | null} focused
 * @property {boolean} [isStale] whether the page must be created again
 */

/**
 * Shows the page of the current address. A new page slides over the previous one, which stays unchanged, and is shown
 * again when the user goes back.
 *
 * Each entry of the browser's history has a number; `#entries` has the pages by number. After a reload, earlier pages are
 * created when the user goes back to them.
 */
class Router {
  /** @type {Map<number, Entry>} */
  #entries = new Map();
  #index = 0;
  /** Counts visits. One that a later one overtakes has no effect. */
  #visit = 0;
  /** The visit from which the user last went back. */
  #left = -1;
  #outlet;
  /** @type {string | undefined} */
  #username;

  start(outlet) {
    this.#outlet = outlet;
    this.#username = store.get('person')?.username;
    store.addEventListener('person', () => this.#personChanged());
    history.scrollRestoration = 'manual';
    this.#index = history.state?.index ?? 0;
    history.replaceState({ index: this.#index }, '');
    document.addEventListener('click', (event) => this.#clicked(event));
    window.addEventListener('popstate', (event) => {
      // A dialog belongs to the page below it.
      for (const dialog of document.querySelectorAll('dialog[open]')) dialog.close();
      this.#show(event.state?.index ?? 0, { isInstant: event.hasUAVisualTransition });
    });
    outlet.addEventListener('renamed', () => this.#name());
    return this.#show(this.#index, { isFirst: true });
  }

  get page() {
    return this.#entries.get(this.#index)?.page;
  }

  /** @param {{replacing?: boolean}} [how] replacing: replaces the current history entry, as tabs do */
  go(address, { replacing = false } = {}) {
    const index = replacing ? this.#index : this.#index + 1;
    const before = location.href;
    // Replaces a page that is not shown yet, so that two clicks on a link are one visit.
    if (replacing || history.state?.index === index) history.replaceState({ index }, '', address);
    else history.pushState({ index }, '', address);
    return this.#show(index, { before });
  }

  /** Goes back to the previous page. Goes to `address` if there is none, because the user came by a link. */
  back(address) {
    if (this.#index === 0) this.go(address, { replacing: true });
    // Two clicks go back once.
    else if (this.#left !== this.#visit && !(history.state?.index < this.#index)) {
      this.#left = this.#visit;
      history.back();
    }
  }

  /**
   * Leaves a page whose work is done. If the previous page is an element named `element`, this goes back to it and
   * scrolls to its top. Otherwise `address` replaces the page.
   */
  finish(element, address) {
    const below = this.#entries.get(this.#index - 1);
    if (below?.page.localName !== element) return this.go(address, { replacing: true });
    [below.scroll, below.focused] = [0, null];
    return history.back();
  }

  #clicked(event) {
    const link = event.target.closest?.('a[href]');
    if (!link || event.defaultPrevented || event.button !== 0) return;
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    if (link.target || link.hasAttribute('download') || !placeAt(new URL(link.href))) return;
    event.preventDefault();
    // The second click of a double click is not meant for the page that the first one opened.
    if (event.detail > 1) return;
    if (link.dataset.goes === 'back') this.back(link.href);
    else this.go(link.href, { replacing: link.dataset.goes === 'beside' });
  }

  async #show(index, { isFirst = false, isInstant = false, before = '' } = {}) {
    const visit = ++this.#visit;
    const { place, parameters } = shownAt(new URL(location.href));
    try {
      await place.load();
    } catch (error) {
      if (visit === this.#visit) this.#missed(error, visit, index, isFirst, before);
      return;
    }
    if (visit !== this.#visit) return;
    // The user signed in or out while the module was loading.
    if (shownAt(new URL(location.href)).place !== place) return this.#show(index, { isFirst, isInstant, before });
    const from = this.#index;
    const known = this.#entries.get(index);
    if (known && !known.isStale && index === from && known.page.localName === place.element) {
      // The user returned from a page that could not be loaded.
      if (!before) return;
      // The same page at another address: the user switched tabs.
      known.page.enter(parameters, new URLSearchParams(location.search));
      this.#name();
      return;
    }
    const direction = isFirst || index === from ? 'none' : index > from ? 'forward' : 'back';
    await this.#transition(isInstant ? 'none' : direction, () => {
      this.#swap(index, place, parameters, isFirst);
    });
  }

  #swap(index, place, parameters, isFirst) {
    const leaving = this.#entries.get(this.#index);
    if (leaving) {
      leaving.scroll = window.scrollY;
      leaving.focused = leaving.page.contains(document.activeElement) ? document.activeElement : null;
      leaving.page.hidden = true;
    }
    const replacing = index === this.#index;
    for (const [number, entry] of this.#entries) {
      if (number > index || (replacing && number === index)) {
        entry.page.remove();
        this.#entries.delete(number);
      }
    }
    this.#index = index;
    const known = this.#entries.get(index);
    if (known?.page.localName === place.element) {
      known.page.hidden = false;
      this.#name();
      window.scrollTo({ top: known.scroll, behavior: 'instant' });
      known.page.returned(known.focused);
      return;
    }
    known?.page.remove();
    const page = document.createElement(place.element);
    this.#entries.set(index, { page, place, scroll: 0, focused: null });
    this.#outlet.append(page);
    page.enter(parameters, new URLSearchParams(location.search));
    this.#nameBack(page, this.#entries.get(index - 1)?.page);
    this.#name();
    window.scrollTo({ top: 0, behavior: 'instant' });
    // The browser starts at the top of a document that it opens. Within the document, moving the focus lets screen
    // readers announce the new page.
    if (!isFirst) page.heading?.focus({ preventScroll: true });
  }

  async #transition(direction, change) {
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
      || document.documentElement.dataset.motion === 'reduced';
    if (direction === 'none' || isStill || !document.startViewTransition || document.hidden) return change();
    document.documentElement.dataset.transition = direction;
    const transition = document.startViewTransition(change);
    // A skipped transition is not an error: the change has been made.
    transition.ready.catch(() => {});
    transition.finished.finally(() => delete document.documentElement.dataset.transition);
    await transition.updateCallbackDone;
  }

  /**
   * Called when the user signs in or out, here or in another tab. Removes all pages that need an account; other pages
   * update themselves. A user who came to sign in returns to the previous page.
   */
  #personChanged() {
    const person = store.get('person');
    if (person?.username === this.#username) return;
    this.#username = person?.username;
    if (person && placeAt(new URL(location.href))?.place.isForGuests) {
      this.back(to.table());
      return;
    }
    for (const [index, entry] of this.#entries) {
      if (index === this.#index || !entry.place.people) continue;
      entry.page.remove();
      this.#entries.delete(index);
    }
    const here = this.#entries.get(this.#index);
    if (!here || (!here.place.people && shownAt(new URL(location.href)).place === here.place)) return;
    here.isStale = true;
    this.#show(this.#index);
  }

  /** Labels the back link of a page with the name of the page below it, if that page is loaded. */
  #nameBack(page, below) {
    const label = page.querySelector('.bar-link[data-goes=back] > span');
    if (label && below) label.textContent = below.name || 'Back';
  }

  #name() {
    const name = this.page?.name;
    document.title = name ? `${name} · MemeMe` : 'MemeMe';
  }

  /** Handles a page module that failed to load: the network is down, or the server has another version of the app. */
  async #missed(error, visit, index, isFirst, before) {
    const answers = await fetch(location.href, { method: 'HEAD' }).then((response) => response.ok, () => false);
    // The user has gone elsewhere since.
    if (visit !== this.#visit) return;
    // Loads the new version, once.
    if (answers && sessionStorage.getItem('mememe.reloaded') !== location.href) {
      sessionStorage.setItem('mememe.reloaded', location.href);
      location.reload();
      return;
    }
    console.error(error);
    const problem = answers ? new Problem('unknown') : Problem.unanswered();
    if (isFirst) this.#outlet.textContent = problem.sentence;
    else {
      notify(problem.sentence);
      // Returns to the shown page.
      if (index !== this.#index) history.go(this.#index - index);
      // A tab has replaced the address of the shown page.
      else history.replaceState({ index }, '', before);
    }
  }
}

export const router = new Router();
