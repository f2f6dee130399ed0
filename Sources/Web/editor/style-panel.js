import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { colours, number, segments, slider } from './controls.js';
import { size } from './handles.js';
import { knowFaces } from './render.js';

const percent = (value) => `${Math.round(value * 100)} %`;

/** The style of all captions, or of the selected box. */
export class StylePanel extends Part {
  #draft = null;
  /** @type {import('./draft.js').Caption | null} */
  #selected = null;
  #isForAll = false;
  /** @type {import('./faces.js').Face[]} */
  #faces = [];
  /** Shows the place of the selected box after a change. */
  #update = () => {};

  async connected() {
    this.#faces = await knowFaces().catch(() => []);
    this.#build();
  }

  /** @param {import('./draft.js').Draft} draft */
  show(draft, selected) {
    if (selected !== this.#selected) this.#isForAll = false;
    // Dragging the box changes its place, and one number may change others.
    if (draft !== this.#draft) this.listen(draft, 'change', () => this.#update());
    [this.#draft, this.#selected] = [draft, selected];
    this.#build();
  }

  get #caption() {
    return this.#draft.isFree && !this.#isForAll ? this.#selected : null;
  }

  #build() {
    if (!this.#draft || this.#faces.length === 0) return;
    this.#update = () => {};
    const look = this.#caption ? this.#draft.look(this.#caption) : this.#draft.wholeStyle;
    const set = (name) => (value) => this.#set(name, value);
    this.replaceChildren(
      this.#scope(),
      segments('Font', this.#faces.map((face) => ({
        value: face.id, name: face.family,
        picture: el('img', { src: face.sample.url, alt: face.family, width: 480, height: 144, loading: 'lazy' }),
      })), look.font, set('font'), 'fonts'),
      colours('Text color', look.fill, set('fill')),
      colours('Outline', look.outline, set('outline')),
      slider('Outline width', { min: 0, max: 0.3, step: 0.01 }, look.outlineWidth, percent, set('outlineWidth')),
      slider('Max size', { min: 0.02, max: 0.5, step: 0.01 }, look.size, percent, set('size')),
      el('div', { class: 'control-row' },
        segments('Case', [{ value: 'upper', name: 'ABC' }, { value: 'typed', name: 'Abc' }], look.case, set('case')),
        segments('Align', [
          { value: 'left', name: 'Left' }, { value: 'center', name: 'Center' }, { value: 'right', name: 'Right' },
        ], look.align, set('align'))),
      ...(this.#caption ? [this.#places(this.#caption)] : [this.#layouts(), this.#sizes()]));
  }

  #sizes() {
    return segments('Text size', [
      { value: 'own', name: 'As large as fits' }, { value: 'same', name: 'Same for all' },
    ], this.#draft.sameSize ? 'same' : 'own', (value) => {
      this.#draft.sameSize = value === 'same';
      this.#draft.changed();
    });
  }

  #scope() {
    if (!this.#draft.isFree || !this.#selected) return '';
    const choose = (value) => {
      this.#isForAll = value === 'all';
      this.#build();
      this.querySelector('input:checked').focus();
    };
    return segments('For', [{ value: 'one', name: this.#selected.name }, { value: 'all', name: 'All texts' }],
      this.#isForAll ? 'all' : 'one', choose);
  }

  #layouts() {
    const draft = this.#draft;
    // Other boxes cannot become top and bottom captions.
    const isDisabled = draft.isFree && !draft.isPair;
    return segments('Layout', [
      { value: 'overlay', name: 'On the picture', isDisabled },
      { value: 'bar', name: 'In white bars', isDisabled },
      { value: 'free', name: 'Free' },
    ], draft.isFree ? 'free' : draft.layout, (value) => {
      if (value === 'free') draft.free();
      else draft.arrange(value);
      draft.changed();
      this.#build();
      // If a text is selected, its place fields have replaced this choice.
      (this.querySelector(`input[value=${value}]`) ?? this.querySelector('input')).focus();
    });
  }

  /** The place of a box as numbers, an alternative to dragging. */
  #places({ place }) {
    const numbers = [
      ['Left', () => place.x * 100, {}, (given) => { place.x = Math.min(given / 100, 1 - place.width); }],
      ['Top', () => place.y * 100, {}, (given) => { place.y = Math.min(given / 100, 1 - place.height); }],
      ['Width', () => place.width * 100, { min: 5 }, (given) => size(place, given / 100, place.height)],
      ['Height', () => place.height * 100, { min: 5 }, (given) => size(place, place.width, given / 100)],
      ['Rotation', () => place.rotation, { min: -180, max: 180, unit: '°' }, (given) => { place.rotation = given; }],
    ];
    const fields = numbers.map(([label, read, range, change]) => number(label, { min: 0, max: 100, unit: '%', ...range }, read, (given) => {
      change(given);
      this.#draft.changed();
    }));
    this.#update = () => fields.forEach((field, index) => {
      field.querySelector('input').value = String(Math.round(numbers[index][1]()));
    });
    return el('fieldset', { class: 'control' }, el('legend', {}, 'Position'), el('div', { class: 'numbers' }, ...fields));
  }

  #set(name, value) {
    const style = this.#caption ? this.#caption.style : this.#draft.style;
    style[name] = value;
    // A style chosen for all captions replaces the captions' own.
    if (!this.#caption) for (const caption of this.#draft.captions) delete caption.style[name];
    this.#draft.changed();
  }
}

customElements.define('style-panel', StylePanel);
