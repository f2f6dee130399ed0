import { Part } from '../app/part.js';

/**
 * A virtualized list: the document contains only the items near the window. All items have the same size and are
 * arranged in columns.
 *
 * `layout` returns the number of columns and the height of a row. `make` creates an item's element; `update` shows
 * another version of the item in it. The element with the focus always stays in the document.
 *
 * Dispatches `end` when the user scrolls near the last item and more items exist.
 */
export class WindowedList extends Part {
  #items = [];
  /** @type {Map<string, {element: HTMLElement, item: object}>} */
  #shown = new Map();
  #columns = 1;
  #rowHeight = 1;
  #frame = 0;
  #ends = true;

  /** @type {(width: number, rem: number) => {columns: number, rowHeight: number}} */
  layout = () => ({ columns: 1, rowHeight: 80 });
  /** @type {(item: object) => HTMLElement} */
  make = () => document.createElement('li');
  /** @type {(element: HTMLElement, item: object) => void} */
  update = () => {};

  build() {
    this.setAttribute('role', 'list');
  }

  connected() {
    this.listen(window, 'scroll', () => this.#soon(), { passive: true });
    this.listen(window, 'resize', () => this.#soon());
    this.listen(window, 'appearance', () => this.#measure());
    const observer = new ResizeObserver(() => this.#measure());
    observer.observe(this);
    this.lifetime.addEventListener('abort', () => observer.disconnect());
  }

  /**
   * Shows the items. The item at the top of the window stays in place when items above it are added or removed.
   *
   * @param {{id: string}[]} items
   * @param {boolean} ends whether these are all items
   */
  show(items, ends) {
    const anchor = this.#anchor();
    this.#items = items;
    this.#ends = ends;
    this.#measure();
    if (anchor) this.#keep(anchor);
  }

  /** Scrolls an item into view. @returns {HTMLElement | undefined} its element */
  reveal(index) {
    if (index < 0 || index >= this.#items.length) return undefined;
    const top = this.#top() + Math.floor(index / this.#columns) * this.#rowHeight;
    const isSeen = top >= window.scrollY && top + this.#rowHeight <= window.scrollY + window.innerHeight;
    if (!isSeen) window.scrollTo({ top: top - window.innerHeight / 3, behavior: 'instant' });
    this.#render();
    return this.#shown.get(this.#items[index].id)?.element;
  }

  get columns() {
    return this.#columns;
  }

  #top() {
    return this.getBoundingClientRect().top + window.scrollY;
  }

  #measure() {
    const width = this.clientWidth;
    // A hidden list has no size; keep the last layout.
    if (width === 0) return;
    const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
    ({ columns: this.#columns, rowHeight: this.#rowHeight } = this.layout(width, rem));
    const rows = Math.ceil(this.#items.length / this.#columns);
    this.style.setProperty('--rows', String(rows));
    this.style.setProperty('--columns', String(this.#columns));
    this.style.setProperty('--row-height', `${this.#rowHeight}px`);
    this.#render();
  }

  #soon() {
    this.#frame ||= requestAnimationFrame(() => this.#render());
  }

  #render() {
    cancelAnimationFrame(this.#frame);
    this.#frame = 0;
    if (this.clientWidth === 0) return;
    const seen = window.innerHeight;
    const above = window.scrollY - this.#top();
    const first = Math.max(0, Math.floor((above - seen / 2) / this.#rowHeight) * this.#columns);
    const last = Math.max(first, Math.min(
      this.#items.length, Math.ceil((above + seen * 1.75) / this.#rowHeight) * this.#columns));
    const focused = [...this.#shown.values()].find(({ element }) => element.contains(document.activeElement));
    const places = [...this.#places(first, last, focused?.item.id)];
    const wanted = new Set(places.map((index) => this.#items[index].id));
    for (const [id, { element }] of this.#shown) {
      if (wanted.has(id)) continue;
      element.remove();
      this.#shown.delete(id);
    }
    let next = this.firstElementChild;
    for (const index of places) {
      const element = this.#element(this.#items[index], index);
      // Leave elements that are already in place: moving an element would lose the focus.
      if (element === next) next = next.nextElementSibling;
      else this.insertBefore(element, next);
    }
    if (!this.#ends && above + seen * 3 > this.#rowHeight * Math.ceil(this.#items.length / this.#columns)) {
      this.dispatchEvent(new Event('end'));
    }
  }

  /** The indices of the items to keep in the document, in order. */
  * #places(first, last, focusedID) {
    const kept = focusedID === undefined ? -1 : this.#items.findIndex((item) => item.id === focusedID);
    if (kept >= 0 && kept < first) yield kept;
    for (let index = first; index < last; index++) yield index;
    if (kept >= last) yield kept;
  }

  #element(item, index) {
    let shown = this.#shown.get(item.id);
    if (!shown) {
      shown = { element: this.make(item), item };
      shown.element.setAttribute('role', 'listitem');
      shown.element.dataset.id = item.id;
      this.#shown.set(item.id, shown);
    } else if (shown.item !== item) {
      this.update(shown.element, item);
      shown.item = item;
    }
    const { element } = shown;
    element.dataset.place = String(index);
    element.style.setProperty('--row', String(Math.floor(index / this.#columns)));
    element.style.setProperty('--column', String(index % this.#columns));
    element.setAttribute('aria-posinset', String(index + 1));
    element.setAttribute('aria-setsize', this.#ends ? String(this.#items.length) : '-1');
    return element;
  }

  /** The first visible item and its offset from the window's top; `null` at the very top, so that new items appear. */
  #anchor() {
    const above = window.scrollY - this.#top();
    if (this.clientWidth === 0 || above <= 0) return null;
    const row = Math.floor(above / this.#rowHeight);
    const item = this.#items[row * this.#columns];
    return item ? { id: item.id, offset: above - row * this.#rowHeight } : null;
  }

  #keep({ id, offset }) {
    const place = this.#items.findIndex((item) => item.id === id);
    if (place < 0) return;
    const top = this.#top() + Math.floor(place / this.#columns) * this.#rowHeight + offset;
    if (Math.abs(top - window.scrollY) >= 1) {
      window.scrollTo({ top, behavior: 'instant' });
      this.#render();
    }
  }
}

customElements.define('windowed-list', WindowedList);
