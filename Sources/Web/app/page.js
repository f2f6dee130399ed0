import { Part } from './part.js';

/**
 * The base class of pages: an element that fills the window and has a level 1 heading.
 *
 * The router creates a page for an address, calls {@link Page.enter} and shows it. While another page covers it, it
 * stays in the document, hidden. When the user goes back, the router shows it again unchanged and calls
 * {@link Page.returned}.
 */
export class Page extends Part {
  /** Whether the router shows this page. */
  get isShown() {
    return !this.hidden;
  }

  /** The title of the window while the page is shown. */
  get name() {
    return this.heading?.textContent ?? '';
  }

  /** @returns {HTMLElement | null} */
  get heading() {
    return this.querySelector('h1');
  }

  /**
   * Called before the page is shown at an address. The element is already in the document.
   *
   * @param {Record<string, string>} parameters the values of the placeholders in the place's pattern
   * @param {URLSearchParams} query
   */
  enter(parameters, query) {}

  /**
   * Called when the page is shown again, at its old scroll position.
   *
   * @param {Element | null} focused the element that had the focus
   */
  returned(focused) {
    const target = focused?.isConnected ? focused : this.heading;
    target?.focus({ preventScroll: true });
  }

  /** Notifies the router that the name has changed. */
  renamed() {
    this.dispatchEvent(new Event('renamed', { bubbles: true }));
  }
}
