import { el } from '../app/dom.js';

/** Saves a file in the browser's folder for downloads. */
export function save(blob, name) {
  const url = URL.createObjectURL(blob);
  const link = el('a', { href: url, download: name });
  link.click();
  // By then the browser has started to save the file.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
