import { el, icon } from '../app/dom.js';
import { Part } from '../app/part.js';

/** How long a notice stays that nobody points at: one that offers something, and one that only tells. */
const seconds = { offering: 12, telling: 5 };

/**
 * Says what happened, to readers too, and lets it be undone: by its button, or by Ctrl+Z (⌘Z) wherever the focus is.
 * There is one in the document.
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
    // Whoever points at it, or is on it, has the time that they want.
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
    this.#action.hidden = !action;
    [this.#work, this.#undoes] = [run, undoes];
    this.classList.add('is-shown');
    // One that only tells takes no clicks from what is below it.
    this.classList.toggle('is-offering', Boolean(action));
    this.#close.hidden = !action;
    this.#wait();
  }

  dismiss() {
    clearTimeout(this.#timer);
    this.classList.remove('is-shown');
    this.#action.hidden = this.#close.hidden = true;
    this.#text.textContent = this.#small.textContent = '';
  }

  /** What was done last can be undone by key after its notice has gone. */
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
 * Says what happened.
 *
 * @param {string} text
 * @param {{action?: string, run?: () => void, small?: string | null | false, undoes?: boolean}} [more] action: a button's
 *   name, run: what it does, undoes: whether that undoes what happened, small: what only those need who look for a cause
 */
export function notify(text, more) {
  document.querySelector('notice-bar').show(text, more);
}
