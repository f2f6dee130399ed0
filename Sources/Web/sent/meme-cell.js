import { el } from '../app/dom.js';
import { to } from '../app/places.js';

/** A cell of the grid, which shows only the picture. @param {import('../app/meme-list.js').Item} item */
export function memeCell(item) {
  const cell = el('li', { class: 'cell' });
  showCell(cell, item);
  return cell;
}

/** Updates a cell with new data of the same meme. */
export function showCell(cell, { id, altText, thumbnail: { url, width, height } }) {
  const image = el('img', { src: url, width, height, alt: altText || 'Meme', decoding: 'async', draggable: 'false' });
  const link = cell.querySelector('a');
  if (link) link.replaceChildren(image);
  else cell.append(el('a', { href: to.meme(id) }, image));
}
