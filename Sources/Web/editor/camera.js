import { el, icon } from '../app/dom.js';

/**
 * @typedef {{kind: 'window' | 'phone' | 'none', why: string}} Camera how to take a photo on this device;
 *   why: the reason if it is not possible
 */

/** On phones the file input opens the camera app. It takes better photos, and it does not need a secure context. */
const isPhone = () => matchMedia('(pointer: coarse) and (hover: none)').matches;

/** @returns {Promise<Camera>} */
export async function findCamera() {
  if (isPhone()) return { kind: 'phone', why: '' };
  if (!navigator.mediaDevices?.getUserMedia) {
    return { kind: 'none', why: isSecureContext
      ? 'This browser doesn’t support camera access.'
      : 'The camera needs a secure connection. Open this page with HTTPS.' };
  }
  const devices = await navigator.mediaDevices.enumerateDevices().catch(() => []);
  const isThere = devices.some((device) => device.kind === 'videoinput');
  return isThere ? { kind: 'window', why: '' } : { kind: 'none', why: 'This device has no camera.' };
}

const refusals = {
  NotAllowedError: 'Camera access is blocked. Allow it in the browser’s settings for this page.',
  NotFoundError: 'No camera found.',
  NotReadableError: 'Another app is using the camera.',
};

/**
 * Opens a dialog with the camera's live image and takes a photo.
 *
 * @returns {Promise<Blob | null>} a JPEG; `null` if the dialog was closed without a photo
 */
export function takePhoto() {
  const video = el('video', { playsinline: true, muted: true, 'aria-label': 'Camera view' });
  video.muted = true;
  const shutter = el('button', { type: 'button', class: 'shutter', 'aria-label': 'Take the photo', disabled: true });
  const turn = el('button', { type: 'button', class: 'icon-button', 'aria-label': 'Switch camera', hidden: true }, icon('turn'));
  const told = el('p', { class: 'camera-told', role: 'alert' });
  const dialog = el('dialog', { class: 'camera', 'aria-labelledby': 'camera-title' },
    el('h2', { id: 'camera-title', class: 'only-read' }, 'Camera'), video, told,
    el('div', { class: 'camera-buttons' },
      el('button', { type: 'button', class: 'button', onclick: () => dialog.close() }, 'Cancel'), shutter, turn));
  let stream = null;
  let facing = 'environment';
  let photo = null;

  const stop = () => stream?.getTracks().forEach((track) => track.stop());

  async function start() {
    stop();
    try {
      stream = await navigator.mediaDevices.getUserMedia({
        video: { facingMode: facing, width: { ideal: 1920 }, height: { ideal: 1440 } },
      });
    } catch (error) {
      told.textContent = refusals[error.name] ?? 'The camera couldn’t be opened.';
      return;
    }
    if (!dialog.open) return stop();
    video.srcObject = stream;
    // Mirror the live image of a front camera, as users expect. The photo itself is not mirrored.
    video.classList.toggle('is-mirrored', stream.getVideoTracks()[0]?.getSettings().facingMode === 'user');
    await video.play().catch(() => {});
    shutter.disabled = false;
    const devices = await navigator.mediaDevices.enumerateDevices();
    turn.hidden = devices.filter((device) => device.kind === 'videoinput').length < 2;
  }

  shutter.addEventListener('click', () => {
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [video.videoWidth, video.videoHeight];
    canvas.getContext('2d').drawImage(video, 0, 0);
    shutter.disabled = true;
    canvas.toBlob((blob) => {
      photo = blob;
      dialog.close();
    }, 'image/jpeg', 0.95);
  });
  turn.addEventListener('click', () => {
    facing = facing === 'user' ? 'environment' : 'user';
    start();
  });

  document.body.append(dialog);
  dialog.showModal();
  start();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => {
      stop();
      dialog.remove();
      resolve(photo);
    });
  });
}
