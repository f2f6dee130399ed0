import { Part } from './part.js';

/**
 * The base of pages: an element with a heading of level 1 that fills the window.
 *
 * The router makes one for an address, calls {@link Page.enter} and shows it. When another page comes over it, it stays in
 * the document, hidden; when people come back it is shown again as it was, and told by {@link Page.returned}.
 */
export class Page extends Part {
  /** Whether the router shows it. */
  get isShown() {
    return !this.hidden;
  }

  /** What the window is called while the page is shown. */
  get name() {
    return this.heading?.textContent ?? '';
  }

  /** @returns {HTMLElement | null} */
  get heading() {
    return this.querySelector('h1');
  }

  /**
   * The page is about to be shown at an address; the element is in the document.
   *
   * @param {Record<string, string>} parameters what those of the place's pattern stand for
   * @param {URLSearchParams} query
   */
  enter(parameters, query) {}

  /** The page is shown again, and scrolled to where it was. @param {Element | null} focused what had the focus */
  returned(focused) {
    const target = focused?.isConnected ? focused : this.heading;
    target?.focus({ preventScroll: true });
  }

  /** Tells the router that the name has changed. */
  renamed() {
    this.dispatchEvent(new Event('renamed', { bubbles: true }));
  }
}
