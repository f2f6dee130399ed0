import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { Problem } from '../app/problem.js';

/** A text field and a button to write a comment. Shows errors below the field. Keeps the text until it is sent. */
export class CommentForm extends Part {
  #words;
  #field = el('textarea', { class: 'field', rows: 2, maxlength: 1000, required: true, dir: 'auto' });
  #told = el('p', { class: 'field-problem', role: 'alert' });
  #button;
  /** The idempotency key: the same for every attempt to send one text, so that a comment is never posted twice. */
  #key = crypto.getRandomValues(new Uint32Array(4)).join('-');

  /**
   * @param {{label: string, action: string, text?: string, send: (text: string, key: string) => Promise<void>,
   *   cancel?: () => void}} words
   */
  constructor(words) {
    super();
    this.#words = words;
  }

  build() {
    const { label, action, text = '', cancel } = this.#words;
    this.#field.setAttribute('aria-label', label);
    this.#field.placeholder = label;
    this.#field.value = text;
    this.#button = el('button', { class: 'button is-main' }, action);
    this.append(el('form', { class: 'comment-form', onsubmit: (event) => this.#submit(event) },
      this.#field, this.#told,
      el('div', { class: 'comment-buttons' },
        cancel && el('button', { type: 'button', class: 'button', onclick: cancel }, 'Cancel'), this.#button)));
    this.#field.addEventListener('keydown', (event) => {
      // These keys belong to the input method: Escape discards its suggestion.
      if (event.isComposing) return;
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) this.querySelector('form').requestSubmit();
      if (event.key === 'Escape') cancel?.();
    });
    this.#field.addEventListener('input', () => { this.#told.textContent = ''; });
  }

  connected() {
    // After a sign-in, the error of the attempt before it does not apply.
    this.#told.textContent = '';
  }

  async #submit(event) {
    event.preventDefault();
    const text = this.#field.value.trim();
    if (!text || this.#button.disabled) return;
    const hadFocus = document.activeElement === this.#button;
    this.#button.disabled = true;
    // The form closes after an edit, and would take later words with it.
    this.#field.readOnly = Boolean(this.#words.cancel);
    try {
      await this.#words.send(text, this.#key);
      // The user may already write the next comment.
      if (this.#field.value.trim() === text) this.#field.value = '';
      this.#key = crypto.getRandomValues(new Uint32Array(4)).join('-');
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#told.textContent = error.sentence;
      this.#field.focus();
    } finally {
      this.#button.disabled = this.#field.readOnly = false;
      // A disabled button loses the focus.
      if (hadFocus && document.activeElement === document.body) this.#button.focus();
    }
  }
}

customElements.define('comment-form', CommentForm);
