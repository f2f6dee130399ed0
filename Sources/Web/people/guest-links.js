import { el } from '../app/dom.js';
import { placeAt } from '../app/places.js';

/**
 * A link between the sign-in pages. The new page replaces the current one in the history, so that the user returns to
 * the page from before the sign-in. It does not replace a page on whose address the sign-in is shown.
 */
export function guestLink(href, text, kind = '') {
  const isOwnPlace = placeAt(new URL(location.href))?.place.isForGuests;
  return el('a', { href, class: kind, 'data-goes': isOwnPlace ? 'beside' : null }, text);
}
