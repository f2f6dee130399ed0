import { el } from '../app/dom.js';
import { placeAt } from '../app/places.js';

/**
 * A link from one of the pages to sign in by to another. They take each other's place in the history, so that whoever has signed in
 * is where they came from, but not that of a page that they stand in for.
 */
export function guestLink(href, text, kind = '') {
  const isOwnPlace = placeAt(new URL(location.href))?.place.isForGuests;
  return el('a', { href, class: kind, 'data-goes': isOwnPlace ? 'beside' : null }, text);
}
