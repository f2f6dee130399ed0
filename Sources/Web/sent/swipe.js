/** The distance that a finger moves before it counts as a swipe, in pixels. */
const slop = 10;

/**
 * Lets the user swipe a row to the left. A short swipe shows the row's button; a long swipe runs its action. The
 * browser still handles vertical scrolling (`touch-action: pan-y`). A tap elsewhere closes the row.
 *
 * @param {HTMLElement} row contains the button behind `front`
 * @param {HTMLElement} front the element that moves
 * @param {() => void} run
 */
export function swipe(row, front, run) {
  let start = null;
  let isSwiping = false;

  const openWidth = () => row.querySelector('.row-delete').offsetWidth;
  const isOpen = () => row.classList.contains('is-open');
  const move = (pixels) => row.style.setProperty('--pulled', `${pixels}px`);

  function close() {
    row.classList.remove('is-open', 'is-far');
    move(0);
    document.removeEventListener('pointerdown', closeElsewhere, true);
  }

  function closeElsewhere(event) {
    if (!row.isConnected || !row.contains(event.target)) close();
  }

  function end(isCancelled) {
    if (!isSwiping) return;
    isSwiping = false;
    row.classList.remove('is-pulled');
    if (!isCancelled && row.classList.contains('is-far')) {
      move(-row.offsetWidth);
      // The row slides out of sight first, then the action runs.
      setTimeout(run, 180);
      return;
    }
    const pulled = -parseFloat(row.style.getPropertyValue('--pulled'));
    if (isCancelled || pulled < openWidth() / 2) return close();
    row.classList.add('is-open');
    move(-openWidth());
    document.addEventListener('pointerdown', closeElsewhere, true);
  }

  front.addEventListener('pointerdown', (event) => {
    if (event.pointerType === 'mouse' || !event.isPrimary) return;
    start = { x: event.clientX + (isOpen() ? openWidth() : 0), y: event.clientY };
  });
  front.addEventListener('pointermove', (event) => {
    if (!start) return;
    const [x, y] = [event.clientX - start.x, event.clientY - start.y];
    if (!isSwiping) {
      if (Math.abs(y) > slop && Math.abs(y) > Math.abs(x)) start = null;
      if (!start || Math.abs(x) < slop) return;
      isSwiping = true;
      row.classList.add('is-pulled');
      front.setPointerCapture(event.pointerId);
    }
    move(Math.min(0, x));
    row.classList.toggle('is-far', -x > row.offsetWidth * 0.55);
  });
  front.addEventListener('pointerup', () => {
    start = null;
    end(false);
  });
  front.addEventListener('pointercancel', () => {
    start = null;
    end(true);
  });
  // Neither the end of a swipe nor the tap that closes the row counts as a click.
  front.addEventListener('click', (event) => {
    if (row.style.getPropertyValue('--pulled') in { '': 1, '0px': 1 }) return;
    event.preventDefault();
    close();
  }, true);
}
