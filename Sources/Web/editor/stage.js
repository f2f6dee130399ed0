import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { notify } from '../elements/notice-bar.js';
import { CaptionField } from './caption-field.js';
import { aboveKeyboard } from './keyboard.js';
import { compose, draw } from './render.js';

/** The distance between lines in em, the same as the server's. */
const leading = 1.41 * 0.7905;

/**
 * Shows the picture as large as space permits, with a rendering of the draft: first the browser's own, then the
 * server's. The caption fields lie on top.
 *
 * Events: `editing` and `edited` of a field, `select` when the selected caption changes.
 */
class EditorStage extends Part {
  #picture = el('img', { class: 'stage-picture', alt: '', draggable: 'false' });
  #clip = el('div', { class: 'stage-clip' }, this.#picture);
  #canvas = el('canvas', { 'aria-hidden': 'true' });
  #drawn = el('img', { class: 'stage-drawn', alt: '', draggable: 'false' });
  #fields = el('div', { class: 'stage-fields' });
  #said = el('p', { class: 'only-read', role: 'status' });
  #frame = el('div', { class: 'stage-frame' }, this.#clip, this.#canvas, this.#drawn, this.#fields);
  /** @type {import('./draft.js').Draft | null} */
  #draft = null;
  /** @type {ReturnType<typeof compose> | null} */
  #composition = null;
  #selected = null;
  #room = { width: 0, height: 0 };
  #frameTimer = 0;

  build() {
    this.append(this.#frame, this.#said);
  }

  connected() {
    const observer = new ResizeObserver(() => this.#measure());
    observer.observe(this);
    this.lifetime.addEventListener('abort', () => observer.disconnect());
    const heard = (type, listener) => this.listen(this.#fields, type, (event) => listener(event.target));
    heard('selected', (field) => this.select(field.caption));
    heard('written', () => this.#changed());
    heard('placed', (field) => this.#placed(field));
    heard('removed', (field) => this.#remove(field));
    for (const type of ['editing', 'edited']) {
      heard(type, () => {
        this.soon();
        this.dispatchEvent(new Event(type));
      });
    }
    aboveKeyboard(this.#frame, () => this.#edited, this.lifetime);
  }

  /** @param {import('./draft.js').Draft} draft */
  show(draft) {
    this.#draft = draft;
    this.#selected = null;
    this.#fields.replaceChildren();
    this.soon();
  }

  /** Shows the server's rendering; with `null`, the browser's own. */
  overlay(url) {
    if (url === null) {
      this.#drawn.hidden = true;
      return;
    }
    this.#drawn.src = url;
    // The browser's own rendering stays visible until the image is decoded. A newer URL or an active edit wins.
    this.#drawn.decode().then(() => {
      if (this.#drawn.src === url && !this.#edited) this.#drawn.hidden = false;
    }, () => {});
    this.#drawn.hidden = true;
  }

  get isDrawn() {
    return !this.#drawn.hidden;
  }

  get selected() {
    return this.#selected;
  }

  select(caption) {
    if (this.#selected === caption) return;
    this.#selected = caption;
    // Show the handles at once: the next key press may be for them.
    this.update();
    this.dispatchEvent(new Event('select'));
  }

  get #edited() {
    return [...this.#fields.children].find((field) => field.isEdited) ?? null;
  }

  field(caption) {
    return [...this.#fields.children].find((field) => field.caption === caption) ?? null;
  }

  #changed() {
    this.#draft.changed();
  }

  #placed(field) {
    // Dragging a top or bottom caption turns both into free boxes.
    if (!this.#draft.isFree) this.#draft.free();
    const { x, y, width, height, rotation } = field.caption.place;
    const percent = (value) => `${Math.round(value * 100)} %`;
    this.#said.textContent = `${field.caption.name}: ${percent(x)} from the left, ${percent(y)} from the top, `
      + `${percent(width)} wide, ${percent(height)} high, rotated ${Math.round(rotation)} degrees`;
    this.#changed();
  }

  #remove({ caption }) {
    const draft = this.#draft;
    const index = draft.captions.indexOf(caption);
    const restore = draft.remove(caption);
    this.#selected = null;
    notify(`${caption.name} removed.`, {
      action: 'Undo', undoes: true, run: () => {
        restore();
        if (this.#draft !== draft) return;
        this.select(caption);
        this.update();
        this.field(caption)?.focus({ preventScroll: true });
      },
    });
    this.update();
    const fields = [...this.#fields.children];
    (fields[Math.min(index, fields.length - 1)] ?? this).focus({ preventScroll: true });
    this.dispatchEvent(new Event('select'));
  }

  #measure() {
    const style = getComputedStyle(this);
    const across = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight);
    const down = parseFloat(style.paddingTop) + parseFloat(style.paddingBottom);
    this.#room = { width: this.clientWidth - across, height: this.clientHeight - down };
    this.update();
  }

  /** Draws in the next animation frame. */
  soon() {
    this.#frameTimer ||= requestAnimationFrame(() => this.update());
  }

  /** Draws the draft now. */
  update() {
    cancelAnimationFrame(this.#frameTimer);
    this.#frameTimer = 0;
    const picture = this.#draft?.picture;
    this.#frame.hidden = !picture;
    if (!picture || this.#room.width <= 0 || this.#room.height <= 0) return;
    const composition = compose(this.#draft);
    this.#composition = composition;
    const scale = Math.min(this.#room.width / composition.width, this.#room.height / composition.whole);
    this.#place(picture, composition, scale);
    const edited = this.#edited;
    if (edited) this.#drawn.hidden = true;
    [this.#canvas.width, this.#canvas.height] = [
      Math.max(1, Math.round(composition.width * scale * devicePixelRatio)),
      Math.max(1, Math.round(composition.whole * scale * devicePixelRatio))];
    draw(this.#canvas, composition, edited?.caption.key ?? null);
    this.#placeFields(composition, scale);
  }

  #place(picture, composition, scale) {
    const set = (name, value) => this.#frame.style.setProperty(name, value);
    set('--frame-width', `${composition.width * scale}px`);
    set('--frame-height', `${composition.whole * scale}px`);
    set('--above', `${composition.above * scale}px`);
    set('--clip-height', `${composition.height * scale}px`);
    const crop = this.#draft.crop ?? { x: 0, y: 0, width: picture.width, height: picture.height };
    const shown = (composition.width * scale) / crop.width;
    set('--picture-width', `${picture.width * shown}px`);
    set('--picture-height', `${picture.height * shown}px`);
    set('--picture-left', `${-crop.x * shown}px`);
    set('--picture-top', `${-crop.y * shown}px`);
    if (this.#picture.src !== new URL(picture.url, location.href).href) this.#picture.src = picture.url;
  }

  #placeFields(composition, scale) {
    const known = new Map([...this.#fields.children].map((field) => [field.caption, field]));
    let next = this.#fields.firstElementChild;
    const room = {
      across: (this.clientWidth - composition.width * scale) / 2, down: (this.clientHeight - composition.whole * scale) / 2,
    };
    for (const item of composition.captions) {
      const field = known.get(item.caption) ?? new CaptionField(item.caption);
      known.delete(item.caption);
      // Leave fields that are already in place: moving an element would lose the focus.
      if (field === next) next = next.nextElementSibling;
      else this.#fields.insertBefore(field, next);
      field.select(item.caption === this.#selected, this.#draft.isFree);
      field.refresh();
      const { left, top, width, height } = item.box;
      const area = { left: left * scale, top: top * scale, width: width * scale, height: height * scale };
      field.stand(area, item.place.rotation, item.look, item.place.verticalAlign, this.#type(item, scale), room);
    }
    for (const field of known.values()) field.remove();
  }

  /** The type of a field, matching the drawn caption, in CSS pixels. */
  #type({ look, ink, fit }, scale) {
    if (!ink) return null;
    const size = (fit?.size ?? look.size * this.#composition.height) * scale;
    const { fitting, family } = ink;
    return {
      family, fontSize: size * fitting.scale, lineHeight: size * leading, letterSpacing: size * fitting.letterSpacing,
      // CSS adds letter spacing after a space as well.
      wordSpacing: size * (fitting.wordSpacing - fitting.letterSpacing), stretch: fitting.stretch, pen: size * fitting.fatten,
      outline: size * look.outlineWidth,
    };
  }
}

customElements.define('editor-stage', EditorStage);
