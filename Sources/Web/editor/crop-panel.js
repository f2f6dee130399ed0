import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { number, segments } from './controls.js';

const ratios = { free: null, '1:1': 1, '4:5': 4 / 5, '3:2': 3 / 2, '16:9': 16 / 9 };

/** The crop's aspect ratio, and its position and size as numbers. */
export class CropPanel extends Part {
  #numbers = el('div', { class: 'numbers' });

  /**
   * @param {import('./crop-frame.js').CropFrame} frame
   * @param {{width: number, height: number}} picture
   */
  show(frame, picture) {
    const names = Object.keys(ratios);
    this.replaceChildren(
      segments('Ratio', names.map((value) => ({ value, name: value === 'free' ? 'Free' : value })), 'free',
        (value) => frame.keep(ratios[value])),
      el('fieldset', { class: 'control' }, el('legend', {}, 'Crop area'), this.#numbers),
      el('button', {
        type: 'button', class: 'button', onclick: () => {
          this.querySelector('input[value=free]').checked = true;
          frame.keep(null);
          frame.set({ x: 0, y: 0, ...picture });
        },
      }, 'Reset'));
    const show = () => {
      const field = (label, name, range) => number(label, { ...range, unit: 'px' }, () => frame.crop[name],
        (value) => frame.set({ ...frame.crop, [name]: value }));
      const focused = [...this.#numbers.querySelectorAll('input')].indexOf(document.activeElement);
      this.#numbers.replaceChildren(
        field('Left', 'x', { min: 0, max: picture.width - 1 }), field('Top', 'y', { min: 0, max: picture.height - 1 }),
        field('Width', 'width', { min: 1, max: picture.width }), field('Height', 'height', { min: 1, max: picture.height }));
      if (focused >= 0) this.#numbers.querySelectorAll('input')[focused].focus();
    };
    frame.addEventListener('change', show);
    show();
  }
}

customElements.define('crop-panel', CropPanel);
