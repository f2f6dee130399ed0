import { el, icon } from '../app/dom.js';
import { Part } from '../app/part.js';

/** How long a notice stays, in seconds, unless it has the pointer or the focus: with and without an action. */
const seconds = { offering: 12, telling: 5 };

/**
 * Announces an event, also to screen readers. The user can undo it with the button, or with Ctrl+Z (⌘Z) from any
 * element but a text field. The document has a single notice bar.
 */
class NoticeBar extends Part {
  #text = el('p', { role: 'status', class: 'notice-text' });
  #small = el('p', { class: 'notice-small' });
  #action = el('button', { type: 'button', class: 'notice-action', onclick: () => this.#run() });
  #close = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Dismiss', onclick: () => this.dismiss() }, icon('close'));
  #timer = 0;
  /** @type {(() => void) | null} */
  #work = null;
  #undoes = false;

  build() {
    this.append(el('div', {}, this.#text, this.#small), this.#action, this.#close);
    this.dismiss();
  }

  connected() {
    // A notice stays as long as it has the pointer or the focus.
    for (const type of ['pointerenter', 'focusin']) this.listen(this, type, () => clearTimeout(this.#timer));
    for (const type of ['pointerleave', 'focusout']) this.listen(this, type, () => this.#wait());
    this.listen(document, 'keydown', (event) => {
      const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && event.key.toLowerCase() === 'z';
      if (!isUndo || !this.#undoes || event.target.closest('input, textarea, [contenteditable]')) return;
      event.preventDefault();
      this.#run();
    });
  }

  show(text, { action = '', run = null, small = '', undoes = false } = {}) {
    this.#text.textContent = text;
    this.#small.textContent = small || '';
    this.#action.textContent = action;
    if (!action) this.#release();
    this.#action.hidden = !action;
    [this.#work, this.#undoes] = [run, undoes];
    this.classList.add('is-shown');
    // The request ID and the buttons are outside the pages and their landmarks.
    this.setAttribute('role', 'region');
    this.setAttribute('aria-label', 'Notice');
    // A notice without an action lets clicks through to the page below.
    this.classList.toggle('is-offering', Boolean(action));
    this.#close.hidden = !action;
    this.#wait();
  }

  /** Whether the notice is shown and offers this action. @param {() => void} run */
  offers(run) {
    return this.#work === run && this.classList.contains('is-shown');
  }

  dismiss() {
    this.#release();
    clearTimeout(this.#timer);
    this.classList.remove('is-shown');
    this.removeAttribute('role');
    this.removeAttribute('aria-label');
    this.#action.hidden = this.#close.hidden = true;
    this.#text.textContent = this.#small.textContent = '';
  }

  /** Moves the focus to the page before the button that has it is hidden. */
  #release() {
    if (this.contains(document.activeElement)) document.querySelector('#pages > :not([hidden]) h1')?.focus({ preventScroll: true });
  }

  /** Runs the action. The keyboard shortcut also works after the notice has disappeared. */
  #run() {
    const work = this.#work;
    [this.#work, this.#undoes] = [null, false];
    this.dismiss();
    work?.();
  }

  #wait() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.dismiss(), seconds[this.#work ? 'offering' : 'telling'] * 1000);
  }
}

customElements.define('notice-bar', NoticeBar);

/**
 * Shows a notice.
 *
 * @param {string} text
 * @param {{action?: string, run?: () => void, small?: string | null | false, undoes?: boolean}} [more]
 *   action: the button's label; run: its action; undoes: whether the action undoes the event; small: details for
 *   finding the cause
 */
export function notify(text, more) {
  document.querySelector('notice-bar').show(text, more);
}

/** Whether a notice offers this action now. @param {() => void} run */
export const isOffered = (run) => document.querySelector('notice-bar').offers(run);
