import { el, icon } from '../app/dom.js';
import { Part } from '../app/part.js';
import { CropFrame } from './crop-frame.js';
import './crop-panel.js';
import './more-panel.js';
import './style-panel.js';

const names = { style: 'Style', crop: 'Crop', more: 'More' };

/**
 * The panel next to or below the picture; at most one is open. The crop panel also puts a frame over the picture.
 *
 * Dispatches `opened` when a panel opens or closes.
 */
export class EditorPanels extends Part {
  /** @type {string | null} */
  open = null;
  #draft = null;
  #selected = null;
  #room = el('fieldset', { class: 'panels-room' });
  #stage;

  /** @param {HTMLElement} stage the element that shows the picture */
  constructor(stage) {
    super();
    this.#stage = stage;
  }

  build() {
    this.className = 'panels';
    this.hidden = true;
    this.append(this.#room);
  }

  set disabled(isDisabled) {
    this.#room.disabled = isDisabled;
  }

  get #frame() {
    return this.#stage.parentElement.querySelector('crop-frame');
  }

  /** @param {import('./draft.js').Draft} draft @param {import('./draft.js').Caption | null} selected */
  follow(draft, selected) {
    if (draft !== this.#draft) this.show(null);
    [this.#draft, this.#selected] = [draft, selected];
    if (this.open !== 'crop') this.querySelector('.panel')?.show(draft, selected);
  }

  /** Opens a panel, or closes it with `null`. Closing the crop panel applies the crop. */
  show(name) {
    this.#crop();
    this.open = name;
    this.hidden = name === null;
    this.#room.replaceChildren();
    if (name) {
      const heading = el('h2', { tabindex: -1 }, names[name]);
      const panel = Object.assign(document.createElement(`${name}-panel`), { id: `panel-${name}`, className: 'panel' });
      this.#room.append(
        el('div', { class: 'panel-head' }, heading,
          el('button', { type: 'button', class: 'icon-button', 'aria-label': `Close ${names[name]}`, onclick: () => this.#close() }, icon('done'))),
        panel);
      if (name === 'crop') {
        this.#stage.after(new CropFrame(this.#draft.picture, this.#draft.crop));
        this.#stage.classList.add('is-covered');
        panel.show(this.#frame, this.#draft.picture);
      } else {
        panel.show(this.#draft, this.#selected);
      }
      // Tab goes on within the panel, which is before the tools in the document.
      heading.focus({ preventScroll: true });
    }
    this.dispatchEvent(new Event('opened'));
  }

  #close() {
    const name = this.open;
    this.show(null);
    this.parentElement.querySelector(`[data-panel=${name}]`).focus();
  }

  #crop() {
    const frame = this.#frame;
    if (!frame) return;
    frame.remove();
    this.#stage.classList.remove('is-covered');
    if (JSON.stringify(frame.value) === JSON.stringify(this.#draft.crop)) return;
    this.#draft.crop = frame.value;
    this.#draft.changed();
  }
}

customElements.define('editor-panels', EditorPanels);
