import { el } from '../app/dom.js';

/** What a page is given pictures by besides buttons: dropped on it, and pasted. */

const pictureIn = (files) => [...(files ?? [])].find((file) => file.type.startsWith('image/')) ?? null;

/**
 * Lets people choose a file.
 *
 * @param {{isCamera?: boolean}} how isCamera: phones open their camera
 * @returns {Promise<File | null>} `null` where they choose none
 */
export function chooseFile({ isCamera = false } = {}) {
  const input = el('input', { type: 'file', accept: 'image/*', hidden: true, capture: isCamera && 'environment' });
  document.body.append(input);
  return new Promise((resolve) => {
    const end = () => {
      input.remove();
      resolve(input.files?.[0] ?? null);
    };
    input.addEventListener('change', end, { once: true });
    input.addEventListener('cancel', end, { once: true });
    input.click();
  });
}

/**
 * Takes pictures that are dropped on the element or pasted anywhere.
 *
 * @param {HTMLElement} element has the class `is-dropped-on` while a picture is over it
 * @param {(file: File) => void} take
 * @param {() => boolean} takes whether one is wanted now
 */
export function takeGiven(element, take, takes, lifetime) {
  const listen = (target, type, listener) => target.addEventListener(type, listener, { signal: lifetime });
  const hasFiles = (event) => [...(event.dataTransfer?.types ?? [])].includes('Files');
  const mark = (isOver) => element.classList.toggle('is-dropped-on', isOver);

  listen(element, 'dragover', (event) => {
    if (!hasFiles(event)) return;
    // Without this the browser would leave the page and show the file.
    event.preventDefault();
    event.dataTransfer.dropEffect = takes() ? 'copy' : 'none';
    mark(takes());
  });
  listen(element, 'dragleave', (event) => {
    if (!element.contains(event.relatedTarget)) mark(false);
  });
  listen(element, 'drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    mark(false);
    const file = pictureIn(event.dataTransfer.files) ?? event.dataTransfer.files[0];
    if (file && takes()) take(file);
  });
  listen(document, 'paste', (event) => {
    const file = pictureIn(event.clipboardData?.files);
    if (!file || !takes()) return;
    event.preventDefault();
    take(file);
  });
}
