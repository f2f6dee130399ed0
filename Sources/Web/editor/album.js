import { el } from '../app/dom.js';

/** Ways to choose an image file: a file dialog, drag and drop, and paste. */

const pictureIn = (files) => [...(files ?? [])].find((file) => file.type.startsWith('image/')) ?? null;

/**
 * Opens the file dialog for images.
 *
 * @param {{isCamera?: boolean}} how isCamera: on a phone, open the camera instead
 * @returns {Promise<File | null>} `null` if no file was chosen
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
 * Handles images that are dropped on the element or pasted anywhere in the document.
 *
 * @param {HTMLElement} element gets the class `is-dropped-on` while a file is dragged over it
 * @param {(file: File) => void} take receives each file
 * @param {() => boolean} takes whether the page accepts an image now
 * @param {AbortSignal} lifetime removes the listeners
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
