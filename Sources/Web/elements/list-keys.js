/** @returns {number | undefined} the number of the item of a `<windowed-list>` that the element is in */
export function placeOf(element) {
  const place = element.closest?.('li[data-place]')?.dataset.place;
  return place === undefined ? undefined : Number(place);
}

/**
 * Moves the focus by the arrow keys from one item of a list to the next, up and down, and where it has columns to the sides.
 *
 * @param {KeyboardEvent} event
 * @param {import('./windowed-list.js').WindowedList} list
 * @returns {boolean} whether the key was one of those, and led somewhere
 */
export function moveByKey(event, list) {
  const place = placeOf(event.target);
  if (place === undefined || event.ctrlKey || event.metaKey || event.altKey) return false;
  const steps = {
    ArrowUp: -list.columns, ArrowDown: list.columns,
    ...(list.columns > 1 && { ArrowLeft: -1, ArrowRight: 1 }),
  };
  const link = event.key in steps && list.reveal(place + steps[event.key])?.querySelector('a');
  if (!link) return false;
  event.preventDefault();
  link.focus({ preventScroll: true });
  link.scrollIntoView({ block: 'nearest' });
  return true;
}
