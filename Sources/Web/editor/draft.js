import { standardAltText } from '../app/words.js';
import { owner } from '../offline/owner.js';
import { defaultStyles } from './faces.js';

/**
 * @typedef {{x: number, y: number, width: number, height: number, rotation: number,
 *   verticalAlign: 'top' | 'middle' | 'bottom'}} Place
 *   lengths as fractions of the picture; rotation in degrees, clockwise
 *
 * @typedef {object} Caption
 * @property {string} key identifies the caption within its draft
 * @property {string} name the name that the user sees and screen readers announce
 * @property {boolean} [isNamed] whether the name is that of a template's box
 * @property {string} text as typed
 * @property {string} standard the placeholder for an empty text; empty if the caption may stay empty
 * @property {Place} place
 * @property {Record<string, unknown>} style the style chosen for this caption alone
 */

/** The boxes of the top and bottom captions, the same as the server's (`InkBox`). */
const edges = {
  top: { x: 0.03, y: 0.03, width: 0.94, height: 0.24, rotation: 0, verticalAlign: 'top' },
  bottom: { x: 0.03, y: 0.73, width: 0.94, height: 0.24, rotation: 0, verticalAlign: 'bottom' },
};

/** From the widest to the narrowest. */
const visibilities = ['public', 'friends', 'private'];

const styleNames = ['font', 'fill', 'outline', 'outlineWidth', 'size', 'case', 'align'];

/** The maximum length of an example in the box of a template, in characters. */
const longestExample = 120;

/** The default style of captions. Call `listFaces` first: only the server knows it. */
const standardStyle = (layout) => chosen(defaultStyles[layout] ?? defaultStyles.overlay);

const chosen = (style) => Object.fromEntries(
  styleNames.filter((name) => (style?.[name] ?? null) !== null).map((name) => [name, style[name]]));

/**
 * A meme in the editor before it is saved. After a change, call {@link Draft.changed}, which dispatches `change`.
 *
 * A draft starts with a top and a bottom caption. As soon as a caption is moved or added, all captions become free
 * boxes, which the API treats as another kind of meme. Their places and styles stay the same.
 */
export class Draft extends EventTarget {
  /** @type {import('./picture.js').Picture | null} */
  picture = null;
  /** @type {Caption[]} */
  captions = [];
  isFree = false;
  /** @type {Record<string, unknown>} the style chosen for all captions */
  style = {};
  /** The caption style from the user's settings. `style` overrides it. */
  settings = {};
  layout = 'overlay';
  /** Whether all captions have the font size of the smallest one. */
  sameSize = false;
  /** @type {{x: number, y: number, width: number, height: number} | null} in pixels of the picture */
  crop = null;
  altText = '';
  /** @type {string[]} as typed */
  tags = [];
  visibility = 'public';
  /** The ID of the author; `null` if the draft was begun signed out, then it belongs to the user who signs in next. */
  person = owner();
  #added = 0;
  /** The visibility from the user's settings. */
  #defaultVisibility = 'public';
  #untouched = '';

  constructor() {
    super();
    this.captions = [this.#edge('top', 'TOP'), this.#edge('bottom', 'BOTTOM')];
    this.touch();
  }

  #edge(key, standard, text = '') {
    return { key, name: key === 'top' ? 'Top text' : 'Bottom text', text, standard, place: { ...edges[key] }, style: {} };
  }

  /** Creates a draft from an existing meme. */
  static of(meme) {
    const draft = new Draft();
    draft.isFree = meme.captions.length > 0;
    // A caption that was empty may stay empty.
    draft.captions = draft.isFree
      ? meme.captions.map((box) => draft.#box(box))
      : [draft.#edge('top', meme.top ? 'TOP' : '', meme.top), draft.#edge('bottom', meme.bottom ? 'BOTTOM' : '', meme.bottom)];
    draft.layout = meme.style.layout;
    draft.sameSize = meme.style.sameSize === true || meme.style.sameSize === 'true';
    const standard = standardStyle(draft.layout);
    draft.style = Object.fromEntries(Object.entries(chosen(meme.style)).filter(([name, value]) => value !== standard[name]));
    draft.crop = meme.crop;
    draft.altText = meme.altText === standardAltText(meme) ? '' : meme.altText;
    draft.tags = meme.tags ?? [];
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

  /**
   * Applies the user's settings for new memes. Newer settings may arrive while the user works. They then change no choice
   * of the user, and never widen the visibility.
   */
  applyDefaults({ captions, visibility }) {
    const { layout = 'overlay', ...style } = Object.fromEntries(Object.entries(captions).filter(([, value]) => value !== null));
    // The server draws the meme with this style, which it knows from the settings.
    this.settings = style;
    if (!this.hasWork) {
      Object.assign(this, { layout, visibility });
      this.touch();
    } else if (this.visibility === this.#defaultVisibility && visibilities.indexOf(visibility) > visibilities.indexOf(this.visibility)) {
      this.visibility = visibility;
    }
    this.#defaultVisibility = visibility;
  }

  changed() {
    this.dispatchEvent(new Event('change'));
  }

  /** Marks the current state as unmodified. */
  touch() {
    this.#untouched = this.#work;
  }

  get #work() {
    return JSON.stringify([this.fields(), this.picture?.url ?? null]);
  }

  /** Whether the draft has changes that would be lost. */
  get hasWork() {
    return this.#work !== this.#untouched;
  }

  /** The first caption that lacks a required text. */
  get missing() {
    return this.captions.find(({ text, standard }) => text.trim() === '' && standard !== '');
  }

  /** Whether the draft has a picture and no caption lacks a required text. */
  get isReady() {
    return this.picture !== null && !this.missing;
  }

  /** The text to draw for a caption: its own, or the placeholder. */
  shown({ text, standard }) {
    return text.trim() === '' ? standard : text;
  }

  /** The style of captions that have no style of their own. */
  get wholeStyle() {
    return { ...standardStyle(this.layout), ...this.settings, ...this.style };
  }

  /** The style of one caption. */
  look(caption) {
    return { ...this.wholeStyle, ...caption.style };
  }

  /** Turns every caption into a free box at its current place. */
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

  /**
   * Replaces the captions by the boxes of a template, with their examples as placeholders. Texts that were typed move to
   * the boxes in their order, and those that are left to the last one. Without boxes, the captions stay.
   */
  fill({ boxes = [] }) {
    if (boxes.length === 0) return;
    const typed = this.captions.map(({ text }) => text);
    const last = boxes.length - 1;
    this.free();
    this.captions = boxes.map(({ name, text, ...box }, index) => {
      const caption = this.#box({ ...box, text: index < last ? typed[index] ?? '' : typed.slice(last).filter(Boolean).join('\n') });
      return { ...caption, name: name ?? caption.name, isNamed: Boolean(name), standard: text || 'TEXT' };
    });
  }

  /**
   * Removes a box. Removing the last box restores the top and bottom captions.
   *
   * @returns {() => void} puts the box back
   */
  remove(caption) {
    const index = this.captions.indexOf(caption);
    this.captions = this.captions.toSpliced(index, 1);
    const standIns = this.captions.length > 0 ? [] : [this.#edge('top', 'TOP'), this.#edge('bottom', 'BOTTOM')];
    if (standIns.length > 0) [this.isFree, this.captions] = [false, standIns];
    this.changed();
    return () => {
      const others = this.captions.filter((other) => !standIns.includes(other) || other.text);
      if (others.some(({ key }) => key === caption.key)) caption.key = `box-${++this.#added}`;
      this.captions = others.toSpliced(index, 0, caption);
      this.free();
      this.changed();
    };
  }

  /** Whether the boxes are the top and the bottom caption, which can return to their places. */
  get isPair() {
    return this.captions.map(({ key }) => key).join() === 'top,bottom';
  }

  /** Returns the free top and bottom captions to their places, as a layout has them. */
  arrange(layout) {
    this.isFree = false;
    this.layout = layout;
    for (const caption of this.captions) Object.assign(caption, { place: { ...edges[caption.key] }, style: {} });
  }

  /**
   * The boxes of a template with this draft's picture: the free boxes with their styles, and their texts as examples. Without
   * free boxes there are none, and memes from the template have a top and a bottom caption.
   */
  boxes() {
    if (!this.isFree) return [];
    return this.captions.map((caption) => ({
      ...caption.isNamed && { name: caption.name }, text: [...this.shown(caption)].slice(0, longestExample).join(''),
      ...rounded(caption.place), ...this.settings, ...this.style, ...caption.style,
    }));
  }

  /** The values of the API's fields; `null` if there is no choice. `drawn` fills empty captions with placeholders. */
  fields({ drawn = false } = {}) {
    const text = (caption) => (drawn ? this.shown(caption) : caption.text);
    const words = this.isFree
      ? { captions: this.captions.map((caption) => ({ text: text(caption), ...rounded(caption.place), ...caption.style })) }
      : { top: text(this.captions[0]), bottom: text(this.captions[1]) };
    return {
      ...words,
      layout: this.isFree ? null : this.layout,
      sameSize: this.sameSize || null,
      ...Object.fromEntries(styleNames.map((name) => [name, this.style[name] ?? null])),
      crop: this.crop,
      altText: this.altText.trim() || null,
      tags: this.tags.length > 0 ? this.tags : null,
      visibility: this.visibility,
    };
  }
}

/** Shortens a box's numbers for the API. The box stays within the picture despite the rounding. */
function rounded({ x, y, width, height, rotation, verticalAlign }) {
  const cut = (value) => Math.floor(value * 1e4) / 1e4;
  [x, y] = [cut(x), cut(y)];
  return {
    x, y, width: cut(Math.min(width, 1 - x)), height: cut(Math.min(height, 1 - y)),
    rotation: Math.round(rotation * 10) / 10, verticalAlign,
  };
}
