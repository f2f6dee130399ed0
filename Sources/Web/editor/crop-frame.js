import { el } from '../app/dom.js';
import { Part } from '../app/part.js';

/** The sides that each handle moves: -1 for left or top, 1 for right or bottom. */
const corners = [
  ['Top left corner', -1, -1], ['Top edge', 0, -1], ['Top right corner', 1, -1], ['Right edge', 1, 0],
  ['Bottom right corner', 1, 1], ['Bottom edge', 0, 1], ['Bottom left corner', -1, 1], ['Left edge', -1, 0],
];

const limited = (value, low, high) => Math.min(Math.max(value, low), high);

/**
 * The whole picture with a frame over the part to keep. The user changes the frame with its handles, by dragging its
 * inside, or with the arrow keys.
 *
 * Dispatches `change` when the frame changes.
 */
export class CropFrame extends Part {
  #picture;
  /** The frame in whole pixels of the picture. */
  crop;
  /** The aspect ratio to keep (width / height), or `null`. */
  #ratio = null;
  #frame = el('div', { class: 'crop-frame' });
  #area = el('div', { class: 'crop-area' });
  #room = new ResizeObserver(() => this.#place());

  /** @param {{url: string, width: number, height: number}} picture */
  constructor(picture, crop) {
    super();
    this.#picture = picture;
    this.crop = { ...(crop ?? this.#whole) };
  }

  get #whole() {
    return { x: 0, y: 0, width: this.#picture.width, height: this.#picture.height };
  }

  /** The chosen crop; `null` if the frame covers the whole picture. */
  get value() {
    const { width, height } = this.crop;
    return width === this.#picture.width && height === this.#picture.height ? null : { ...this.crop };
  }

  /** The minimum width and height of the frame in pixels of the picture. */
  get #least() {
    return Math.max(1, Math.min(16, this.#picture.width, this.#picture.height));
  }

  build() {
    const handles = corners.map(([name, x, y]) => el('button', {
      type: 'button', class: 'crop-handle', 'aria-label': name, 'data-x': x, 'data-y': y,
    }));
    this.#area.append(el('button', { type: 'button', class: 'crop-inside', 'aria-label': 'Move crop area', 'data-inside': true }), ...handles);
    this.#frame.append(
      el('img', { src: this.#picture.url, alt: '', draggable: 'false' }), this.#area);
    this.append(this.#frame);
  }

  connected() {
    this.#room.observe(this);
    this.lifetime.addEventListener('abort', () => this.#room.disconnect());
    this.listen(this.#area, 'pointerdown', (event) => this.#drag(event));
    this.listen(this.#area, 'keydown', (event) => this.#keyDown(event));
  }

  /** Keeps an aspect ratio (width / height) and resizes the frame to it. `null` allows any ratio. */
  keep(ratio) {
    this.#ratio = ratio;
    if (ratio === null) return;
    const { width, height } = this.#picture;
    const across = Math.min(width, height * ratio);
    const size = { width: Math.max(1, Math.round(across)), height: Math.max(1, Math.round(across / ratio)) };
    const middle = { x: this.crop.x + this.crop.width / 2, y: this.crop.y + this.crop.height / 2 };
    this.set({
      ...size, x: Math.round(middle.x - size.width / 2), y: Math.round(middle.y - size.height / 2),
    });
  }

  /** Sets the frame, rounded to whole pixels and limited to the picture. */
  set({ x, y, width, height }) {
    const { width: across, height: down } = this.#picture;
    [width, height] = [limited(Math.round(width), this.#least, across), limited(Math.round(height), this.#least, down)];
    this.crop = { width, height, x: limited(Math.round(x), 0, across - width), y: limited(Math.round(y), 0, down - height) };
    this.#place();
    this.dispatchEvent(new Event('change'));
  }

  /** Moves some sides of `from`, or the whole frame, by a distance in pixels of the picture. */
  #move(from, { x, y, isInside }, across, down) {
    if (isInside) return this.set({ ...from, x: from.x + across, y: from.y + down });
    const [right, lower] = [from.x + from.width, from.y + from.height];
    let width = limited(from.width + x * across, this.#least, x < 0 ? right : x > 0 ? this.#picture.width - from.x : from.width);
    let height = limited(from.height + y * down, this.#least, y < 0 ? lower : y > 0 ? this.#picture.height - from.y : from.height);
    if (this.#ratio !== null) {
      // An edge adjusts the sides next to it. A corner derives the height from the width.
      if (x !== 0) height = width / this.#ratio;
      else width = height * this.#ratio;
      const [most, high] = [x < 0 ? right : this.#picture.width - from.x, y < 0 ? lower : this.#picture.height - from.y];
      const share = Math.min(1, most / width, high / height);
      [width, height] = [width * share, height * share];
    }
    this.set({ width, height, x: x < 0 ? right - width : from.x, y: y < 0 ? lower - height : from.y });
  }

  #sides(target) {
    const { x, y, inside } = target.dataset;
    return { x: Number(x ?? 0), y: Number(y ?? 0), isInside: inside !== undefined };
  }

  #drag(event) {
    const target = event.target.closest('button');
    if (!target || event.button !== 0) return;
    const [sides, from] = [this.#sides(target), { ...this.crop }];
    const start = { x: event.clientX, y: event.clientY };
    const scale = this.#picture.width / this.#frame.offsetWidth;
    const ending = new AbortController();
    target.setPointerCapture(event.pointerId);
    target.addEventListener('pointermove', (moved) => {
      this.#move(from, sides, (moved.clientX - start.x) * scale, (moved.clientY - start.y) * scale);
    }, { signal: ending.signal });
    for (const type of ['pointerup', 'pointercancel']) {
      target.addEventListener(type, () => ending.abort(), { signal: ending.signal });
    }
  }

  #keyDown(event) {
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!arrows || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const step = Math.max(1, Math.round(Math.max(this.#picture.width, this.#picture.height) * (event.shiftKey ? 0.05 : 0.01)));
    this.#move({ ...this.crop }, this.#sides(event.target), arrows[0] * step, arrows[1] * step);
  }

  #place() {
    const style = getComputedStyle(this);
    const across = this.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const down = this.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    if (across <= 0 || down <= 0) return;
    const scale = Math.min(across / this.#picture.width, down / this.#picture.height);
    this.#frame.style.setProperty('--frame-width', `${this.#picture.width * scale}px`);
    this.#frame.style.setProperty('--frame-height', `${this.#picture.height * scale}px`);
    for (const [name, value] of Object.entries(this.crop)) this.#area.style.setProperty(`--${name}`, `${value * scale}px`);
  }
}

customElements.define('crop-frame', CropFrame);
