/**
 * @typedef {{x: number, y: number, width: number, height: number, rotation: number, verticalAlign: 'top' | 'middle' | 'bottom'}} Place
 *   fractions of the picture; degrees, clockwise
 *
 * @typedef {object} Caption
 * @property {string} key what it is called here, as long as it lives
 * @property {string} name what people are told that it is
 * @property {string} text as it was typed
 * @property {string} standard what stands there until something is typed; empty where nothing may stand there
 * @property {Place} place
 * @property {Record<string, unknown>} style what was chosen for it alone
 */

/** The box of a caption at the top or the bottom: the server's (`InkBox`). */
const edges = {
  top: { x: 0.03, y: 0.03, width: 0.94, height: 0.24, rotation: 0, verticalAlign: 'top' },
  bottom: { x: 0.03, y: 0.73, width: 0.94, height: 0.24, rotation: 0, verticalAlign: 'bottom' },
};

const styleNames = ['font', 'fill', 'outline', 'outlineWidth', 'size', 'case', 'align'];

/** How captions look that nobody chose anything for, as the API says. */
export function standardStyle(layout) {
  return {
    font: 'impact', fill: layout === 'bar' ? '#000000' : '#ffffff', outline: '#000000',
    outlineWidth: layout === 'bar' ? 0 : 0.11, size: 0.14, case: 'upper', align: 'center',
  };
}

const chosen = (style) => Object.fromEntries(
  styleNames.filter((name) => (style?.[name] ?? null) !== null).map((name) => [name, style[name]]));

/**
 * Everything that a person has chosen of a meme before it is one. Whoever changes it calls {@link Draft.changed}; an event
 * `change` says so.
 *
 * At first there is a caption at the top and one at the bottom. Once one is moved, or another is added, all of them are
 * boxes, which is another kind of meme to the server; where they are and how they look stays the same.
 */
export class Draft extends EventTarget {
  /** @type {import('./picture.js').Picture | null} */
  picture = null;
  /** @type {Caption[]} */
  captions = [];
  isFree = false;
  /** @type {Record<string, unknown>} what was chosen of the style of all */
  style = {};
  /** What is chosen by the person's settings where nothing is here. */
  settings = {};
  layout = 'overlay';
  /** @type {{x: number, y: number, width: number, height: number} | null} in pixels of the picture */
  crop = null;
  altText = '';
  visibility = 'public';
  #added = 0;
  #untouched = '';

  constructor() {
    super();
    this.captions = [this.#edge('top', 'TOP'), this.#edge('bottom', 'BOTTOM')];
    this.touch();
  }

  #edge(key, standard, text = '') {
    return { key, name: key === 'top' ? 'Top text' : 'Bottom text', text, standard, place: { ...edges[key] }, style: {} };
  }

  /** Takes up a meme that there is. */
  static of(meme) {
    const draft = new Draft();
    draft.isFree = meme.captions.length > 0;
    // What had no words before may have none.
    draft.captions = draft.isFree
      ? meme.captions.map((box) => draft.#box(box))
      : [draft.#edge('top', meme.top ? 'TOP' : '', meme.top), draft.#edge('bottom', meme.bottom ? 'BOTTOM' : '', meme.bottom)];
    draft.layout = meme.style.layout;
    const standard = standardStyle(draft.layout);
    draft.style = Object.fromEntries(Object.entries(chosen(meme.style)).filter(([name, value]) => value !== standard[name]));
    draft.crop = meme.crop;
    draft.altText = meme.altText;
    draft.visibility = meme.visibility;
    draft.touch();
    return draft;
  }

  #box({ text, x, y, width, height, rotation, verticalAlign, ...style }) {
    const number = ++this.#added;
    return {
      key: `box-${number}`, name: `Text ${number}`, text, standard: '', style: chosen(style),
      place: { x, y, width, height, rotation, verticalAlign },
    };
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }

  /** From here on it counts what is done. */
  touch() {
    this.#untouched = this.#work;
  }

  get #work() {
    return JSON.stringify([this.fields(), this.picture?.url ?? null]);
  }

  /** Whether there is something that would be lost. */
  get hasWork() {
    return this.#work !== this.#untouched;
  }

  /** Whether there is a picture and every text was edited. */
  get isReady() {
    return this.picture !== null && this.captions.every(({ text, standard }) => text.trim() !== '' || standard === '');
  }

  /** What is seen of a caption. */
  shown({ text, standard }) {
    return text.trim() === '' ? standard : text;
  }

  /** How all captions look that chose nothing. */
  get wholeStyle() {
    return { ...standardStyle(this.layout), ...this.settings, ...this.style };
  }

  /** How a caption looks. */
  look(caption) {
    return { ...this.wholeStyle, ...caption.style };
  }

  /** Makes every caption a box where it is. */
  free() {
    this.isFree = true;
    this.layout = 'overlay';
  }

  /** Adds a box in the middle. @returns {Caption} */
  add() {
    this.free();
    const shift = (this.captions.length % 5) * 0.04;
    const caption = this.#box({
      text: '', x: 0.2, y: 0.34 + shift, width: 0.6, height: 0.18, rotation: 0, verticalAlign: 'middle',
    });
    caption.standard = 'TEXT';
    this.captions = [...this.captions, caption];
    this.changed();
    return caption;
  }

  /** Takes a box away; where it was the last, there are a top and a bottom again. */
  remove(caption) {
    this.captions = this.captions.filter((other) => other !== caption);
    if (this.captions.length === 0) {
      this.isFree = false;
      this.captions = [this.#edge('top', 'TOP'), this.#edge('bottom', 'BOTTOM')];
    }
    this.changed();
  }

  /** What is sent to the server: values of the API's fields, `null` where nothing was chosen. */
  fields({ drawn = false } = {}) {
    const text = (caption) => (drawn ? this.shown(caption) : caption.text);
    const words = this.isFree
      ? { captions: this.captions.map((caption) => ({ text: text(caption), ...rounded(caption.place), ...caption.style })) }
      : { top: text(this.captions[0]), bottom: text(this.captions[1]) };
    return {
      ...words,
      layout: this.isFree ? null : this.layout,
      ...Object.fromEntries(styleNames.map((name) => [name, this.style[name] ?? null])),
      crop: this.crop,
      altText: this.altText.trim() || null,
      visibility: this.visibility,
    };
  }
}

/** A box has to lie within the picture, also after its numbers lost their last digits. */
function rounded({ x, y, width, height, rotation, verticalAlign }) {
  const cut = (value) => Math.floor(value * 1e4) / 1e4;
  [x, y] = [cut(x), cut(y)];
  return {
    x, y, width: cut(Math.min(width, 1 - x)), height: cut(Math.min(height, 1 - y)),
    rotation: Math.round(rotation * 10) / 10, verticalAlign,
  };
}
