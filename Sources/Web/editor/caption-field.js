import { el, icon } from '../app/dom.js';
import { Part } from '../app/part.js';
import { handle } from './handles.js';

/**
 * A caption over the picture: a text field and, if captions are free boxes, handles to move, resize and rotate it. The
 * stage draws the text. The field itself shows its text only while it is edited, because it then has the caret.
 *
 * All events bubble: `editing` and `edited` when the field gains and loses focus, `written` when the text changes,
 * `selected`, `placed` while the box moves, and `removed`.
 */
export class CaptionField extends Part {
  #caption;
  #field;
  #handles;
  /** The text when editing began. */
  #before = '';

  /** @param {import('./draft.js').Caption} caption */
  constructor(caption) {
    super();
    this.#caption = caption;
  }

  get caption() {
    return this.#caption;
  }

  get isEdited() {
    return document.activeElement === this.#field;
  }

  build() {
    const { name, text, standard } = this.#caption;
    this.setAttribute('role', 'group');
    this.setAttribute('aria-label', name);
    this.tabIndex = -1;
    this.#field = el('textarea', {
      'aria-label': name, maxlength: 280, rows: 1, spellcheck: 'false', autocomplete: 'off', autocapitalize: 'sentences',
      enterkeyhint: 'done', placeholder: standard, dir: 'auto',
    });
    this.#field.value = text;
    const button = (kind, label) => el('button', { type: 'button', class: `handle is-${kind}`, 'aria-label': label, 'data-kind': kind }, icon(kind));
    this.#handles = el('div', { class: 'handles', hidden: true },
      button('move', `Move ${name}`), button('turn', `Rotate ${name}`), button('size', `Resize ${name}`),
      button('close', `Remove ${name}`));
    this.append(this.#field, this.#handles);
  }

  connected() {
    this.listen(this.#field, 'focus', () => this.#begin());
    this.listen(this.#field, 'blur', () => this.#end());
    this.listen(this.#field, 'input', () => {
      this.#caption.text = this.#field.value;
      this.#tell('written');
    });
    this.listen(this.#field, 'keydown', (event) => this.#keyDown(event));
    // Some on-screen keyboards send no Enter key, only the input type.
    this.listen(this.#field, 'beforeinput', (event) => {
      if (!['insertLineBreak', 'insertParagraph'].includes(event.inputType) || this.#isShifted) return;
      event.preventDefault();
      this.finish();
    });
    this.listen(this.#handles.querySelector('.is-close'), 'click', () => this.#tell('removed'));
    handle(this, this.lifetime);
  }

  #isShifted = false;

  #keyDown(event) {
    this.#isShifted = event.shiftKey;
    if (event.isComposing) return;
    if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      this.finish();
    } else if (event.key === 'Escape') {
      event.preventDefault();
      event.stopPropagation();
      this.finish();
    } else if (event.key === 'Tab') {
      // Enable the buttons again before the browser looks for the next element in tab order.
      this.#tell('edited');
    }
  }

  #begin() {
    this.#before = this.#caption.text;
    // Hide the placeholder while editing. It returns if the text stays empty.
    this.#field.placeholder = '';
    this.classList.add('is-edited');
    this.#tell('selected');
    this.#tell('editing');
  }

  #end() {
    this.classList.remove('is-edited');
    if (this.#caption.text.trim() === '') this.#caption.text = this.#field.value = '';
    this.#field.placeholder = this.#caption.standard;
    this.#tell('edited');
    if (this.#caption.text !== this.#before) this.#tell('written');
  }

  /** Starts editing after a tap or click. */
  edit() {
    this.#field.focus({ preventScroll: true });
  }

  /** Ends editing and keeps the focus on the caption. */
  finish() {
    this.#field.blur();
    (this.#handles.hidden ? this : this.#handles.querySelector('.is-move')).focus({ preventScroll: true });
  }

  /** Shows the draft's text after a change from outside this field. */
  refresh() {
    if (!this.isEdited) this.#field.value = this.#caption.text;
  }

  #tell(type) {
    this.dispatchEvent(new Event(type, { bubbles: true }));
  }

  /** Sets whether the caption is selected, and whether captions are free boxes. Both together show the handles. */
  select(isSelected, isFree) {
    this.classList.toggle('is-selected', isSelected);
    this.classList.toggle('is-free', isFree);
    this.#handles.hidden = !(isSelected && isFree);
  }

  /**
   * Places the field over the drawn caption and gives it the same type.
   *
   * @param {{left: number, top: number, width: number, height: number}} area in CSS pixels, within the frame
   * @param {{across: number, down: number}} room around the frame, in CSS pixels: the handles stay within it
   * @param {{fontSize: number, lineHeight: number, letterSpacing: number, wordSpacing: number, stretch: number,
   *   family: string, pen: number, outline: number} & Record<string, unknown>} type lengths in CSS pixels
   */
  stand(area, rotation, look, verticalAlign, type, room) {
    for (const [name, value] of Object.entries(area)) this.style.setProperty(`--${name}`, `${value}px`);
    this.style.setProperty('--turn', `${rotation}deg`);
    if (!this.#handles.hidden) this.style.setProperty('--shift', shift(area, rotation, room, this.parentElement));
    this.dataset.vertical = verticalAlign;
    const { style } = this.#field;
    style.setProperty('text-align', look.align);
    style.setProperty('text-transform', look.case === 'upper' ? 'uppercase' : 'none');
    style.setProperty('--fill', look.fill);
    if (!type) return;
    style.setProperty('font-family', type.family);
    style.setProperty('font-size', `${type.fontSize}px`);
    style.setProperty('line-height', `${type.lineHeight}px`);
    style.setProperty('letter-spacing', `${type.letterSpacing}px`);
    style.setProperty('--stretch', String(type.stretch));
    style.setProperty('word-spacing', `${type.wordSpacing}px`);
    style.setProperty('text-shadow', [...ring(type.pen / 2, look.fill), ...ring((type.pen + type.outline) / 2, look.outline)].join(', '));
    // Shrink the field to its text, so that it aligns with the drawn caption.
    style.setProperty('height', '0');
    style.setProperty('height', `${Math.min(this.#field.scrollHeight, area.height * 1.5)}px`);
  }
}

/** The shift, as a CSS `translate`, that brings the handles around a box into the stage. */
function shift({ left, top, width, height }, rotation, room, frame) {
  const rem = parseFloat(getComputedStyle(document.documentElement).fontSize);
  const [cos, sin] = [Math.cos((rotation * Math.PI) / 180), Math.sin((rotation * Math.PI) / 180)];
  // The size of all handles together, as in stage.css.
  const [wide, high] = [Math.max(width + 2.75 * rem, 7 * rem), Math.max(height + 2.75 * rem, 7 * rem)];
  const within = (middle, reach, margin, end) => {
    const [low, high] = [reach - margin - middle, end + margin - reach - middle];
    return low > high ? 0 : Math.min(Math.max(0, low), high);
  };
  const x = within(left + width / 2, (Math.abs(wide * cos) + Math.abs(high * sin)) / 2, room.across, frame.clientWidth);
  const y = within(top + height / 2, (Math.abs(wide * sin) + Math.abs(high * cos)) / 2, room.down, frame.clientHeight);
  // The handles rotate with the box.
  return `${x * cos + y * sin}px ${y * cos - x * sin}px`;
}

/**
 * Builds an outline from text shadows without blur; the first shadows lie on top. A text stroke would cast its own
 * shadows over the letters.
 */
function ring(radius, colour) {
  if (radius === 0) return [`0 0 0 ${colour}`];
  return Array.from({ length: 16 }, (_, index) => {
    const angle = (index * Math.PI) / 8;
    return `${(Math.cos(angle) * radius).toFixed(2)}px ${(Math.sin(angle) * radius).toFixed(2)}px 0 ${colour}`;
  });
}

customElements.define('caption-field', CaptionField);
