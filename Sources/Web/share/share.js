import { style } from '../app/dom.js';
import { ShareDialog } from './share-dialog.js';

await style('share/share.css');

/**
 * What is passed on. It is there already, or becomes a meme with the sharing.
 *
 * @typedef {object} Sharable
 * @property {string} title
 * @property {'public' | 'friends' | 'private'} visibility
 * @property {boolean} isNew whether {@link Sharable.save} makes or changes it
 * @property {boolean} mayWait whether it may be made later, where the server is not reached now
 * @property {(how: How) => Promise<File>} picture
 * @property {(how: How) => Promise<Outcome>} save has it saved, once
 *
 * @typedef {{signal: AbortSignal, onProgress: (share: number) => void}} How
 *
 * @typedef {{meme: object} | {waits: object} | {conflict: import('../app/problem.js').Problem}} Outcome
 *   waits: what is sent as soon as the server can be reached; conflict: the meme was changed elsewhere
 */

/**
 * Passes something on: by the system's own sheet where it takes pictures, else by a dialog. What is new is saved when it has
 * been passed on, or somebody has chosen by what; where they leave before that, nothing is.
 *
 * @param {Sharable} sharable
 * @returns {Promise<Outcome | null>} `null` where it was not shared
 */
export function share(sharable) {
  return new ShareDialog(sharable).run();
}

/** Shares a meme that is there. */
export async function shareMeme(meme) {
  const title = meme.altText || 'A meme';
  await share({
    title, visibility: meme.visibility, isNew: false, mayWait: false,
    save: async () => ({ meme }),
    picture: async ({ signal }) => {
      const response = await fetch(meme.image.url, { signal });
      if (!response.ok) throw new Error('The picture is not there any more.');
      return pictureFile(await response.blob());
    },
  });
}

/** A picture as a file that has a name. */
export function pictureFile(blob) {
  const kind = blob.type.slice('image/'.length);
  return new File([blob], `meme.${kind === 'jpeg' ? 'jpg' : kind}`, { type: blob.type });
}
