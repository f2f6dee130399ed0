/** @returns {number | undefined} the index of the item of a `<windowed-list>` that contains the element */
export function placeOf(element) {
  const place = element.closest?.('li[data-place]')?.dataset.place;
  return place === undefined ? undefined : Number(place);
}

/**
 * Moves the focus between the items of a list with the arrow keys; sideways only if the list has columns.
 *
 * @param {KeyboardEvent} event
 * @param {import('./windowed-list.js').WindowedList} list
 * @returns {boolean} whether the focus moved
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
