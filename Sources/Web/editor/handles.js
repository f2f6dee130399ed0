/** The distance at which a press becomes a drag, in CSS pixels. */
const slop = 6;
/** Rotations this close to a multiple of 45 degrees snap to it. In degrees. */
const snap = 4;
const least = 0.05;

const limited = (value, low, high) => Math.min(Math.max(value, low), high);

/** Normalizes an angle to -180 to 180 degrees and snaps it. */
function straight(degrees) {
  const turned = ((((degrees + 180) % 360) + 360) % 360) - 180;
  const near = Math.round(turned / 45) * 45;
  return Math.abs(turned - near) <= snap ? near : turned;
}

/** Moves a place within the picture. @param {import('./draft.js').Place} place */
export function move(place, across, down) {
  place.x = limited(place.x + across, 0, 1 - place.width);
  place.y = limited(place.y + down, 0, 1 - place.height);
}

/** Resizes a place about its center. */
export function size(place, width, height) {
  const [x, y] = [place.x + place.width / 2, place.y + place.height / 2];
  place.width = limited(width, least, 1);
  place.height = limited(height, least, 1);
  place.x = limited(x - place.width / 2, 0, 1 - place.width);
  place.y = limited(y - place.height / 2, 0, 1 - place.height);
}

/**
 * Makes a caption respond to gestures and keys. Dragging moves it, the handles resize and rotate it, and two fingers do
 * both. Arrow keys do the same on a focused handle; Delete and Backspace remove the caption. A tap or click without a
 * drag starts editing.
 *
 * @param {import('./caption-field.js').CaptionField} element an element within `.stage-frame`
 */
export function handle(element, lifetime) {
  const listen = (type, listener) => element.addEventListener(type, listener, { signal: lifetime });
  /** @type {Map<number, {x: number, y: number}>} */
  const fingers = new Map();
  let gesture = null;
  let wasDragged = false;

  const place = () => element.caption.place;
  const picture = () => element.closest('.stage-frame').querySelector('.stage-clip').getBoundingClientRect();
  const tell = (type) => element.dispatchEvent(new Event(type, { bubbles: true }));

  function middle() {
    const area = picture();
    const { x, y, width, height } = place();
    return { x: area.left + (x + width / 2) * area.width, y: area.top + (y + height / 2) * area.height };
  }

  /** The distance and the angle between two fingers. */
  function span() {
    const [a, b] = [...fingers.values()];
    return { length: Math.hypot(b.x - a.x, b.y - a.y), angle: (Math.atan2(b.y - a.y, b.x - a.x) * 180) / Math.PI };
  }

  function begin(event, kind) {
    gesture = {
      kind, x: event.clientX, y: event.clientY, from: { ...place() }, isMoving: kind !== 'move',
      span: kind === 'pinch' ? span() : null, angle: angleAt(event),
    };
  }

  listen('pointerdown', (event) => {
    if (event.button !== 0 || element.isEdited || event.target.closest('.is-close')) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    element.setPointerCapture(event.pointerId);
    tell('selected');
    if (fingers.size === 2) begin(event, 'pinch');
    else if (fingers.size === 1) begin(event, event.target.closest('.handle')?.dataset.kind ?? 'move');
    // Keep the press from moving the focus; the click handler sets it.
    if (!event.target.closest('.handle')) event.preventDefault();
  });

  listen('pointermove', (event) => {
    if (!gesture || !fingers.has(event.pointerId)) return;
    fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
    const [x, y] = [event.clientX - gesture.x, event.clientY - gesture.y];
    if (!gesture.isMoving && Math.hypot(x, y) < slop) return;
    gesture.isMoving = true;
    // Fingers do not lift at the same time. The last one must not undo the pinch.
    if (gesture.kind === 'pinch' && fingers.size !== 2) return;
    Object.assign(place(), gesture.from);
    const area = picture();
    if (gesture.kind === 'move') move(place(), x / area.width, y / area.height);
    else if (gesture.kind === 'turn') place().rotation = straight(gesture.from.rotation + angleAt(event) - gesture.angle);
    else if (gesture.kind === 'size') sizeTo(event, area);
    else if (gesture.kind === 'pinch') pinch();
    tell('placed');
  });

  /** The angle of the pointer around the center of the box, in degrees. */
  function angleAt(event) {
    const centre = middle();
    return (Math.atan2(event.clientY - centre.y, event.clientX - centre.x) * 180) / Math.PI;
  }

  /** Moves the corner with the pointer, and the opposite corner symmetrically. */
  function sizeTo(event, area) {
    const radians = (-place().rotation * Math.PI) / 180;
    const [x, y] = [event.clientX - gesture.x, event.clientY - gesture.y];
    const across = x * Math.cos(radians) - y * Math.sin(radians);
    const down = x * Math.sin(radians) + y * Math.cos(radians);
    size(place(), place().width + (2 * across) / area.width, place().height + (2 * down) / area.height);
  }

  function pinch() {
    const now = span();
    const scale = now.length / gesture.span.length;
    size(place(), gesture.from.width * scale, gesture.from.height * scale);
    place().rotation = straight(gesture.from.rotation + now.angle - gesture.span.angle);
  }

  function end(event, isCancelled) {
    if (!fingers.delete(event.pointerId) || !gesture) return;
    const { isMoving, kind } = gesture;
    if (fingers.size > 0) return;
    gesture = null;
    wasDragged = isCancelled || isMoving || kind !== 'move';
  }

  // Phones open the on-screen keyboard only in response to a click.
  listen('click', (event) => {
    if (!wasDragged && !event.target.closest('.handle')) element.edit();
    wasDragged = false;
  });

  listen('pointerup', (event) => end(event, false));
  listen('pointercancel', (event) => end(event, true));

  listen('keydown', (event) => {
    const kind = event.target.closest?.('.handle')?.dataset.kind;
    if (!kind || event.ctrlKey || event.metaKey || event.altKey) return;
    if (['Delete', 'Backspace'].includes(event.key)) {
      event.preventDefault();
      return tell('removed');
    }
    const arrows = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] }[event.key];
    if (!arrows || kind === 'close') return;
    event.preventDefault();
    const step = event.shiftKey ? 0.05 : 0.01;
    const [across, down] = arrows;
    if (kind === 'move') move(place(), across * step, down * step);
    if (kind === 'size') size(place(), place().width + 2 * across * step, place().height + 2 * down * step);
    if (kind === 'turn') {
      // Keys rotate without snapping.
      const degrees = (across || down) * (event.shiftKey ? 15 : 1);
      place().rotation = ((((place().rotation + degrees + 180) % 360) + 360) % 360) - 180;
    }
    tell('placed');
  });
}
