import { request } from '../app/api.js';
import { base, style } from '../app/dom.js';
import { Problem } from '../app/problem.js';
import { ShareDialog } from './share-dialog.js';

await style('share/share.css');

/**
 * Something to share: an existing meme, or a new one that is saved when it is shared.
 *
 * @typedef {object} Sharable
 * @property {string} title
 * @property {'public' | 'friends' | 'private'} visibility
 * @property {boolean} isNew whether {@link Sharable.save} creates or changes the meme
 * @property {(error: import('../app/problem.js').Problem) => boolean} mayWait whether the meme may be saved later, after
 *   this error of {@link Sharable.picture}
 * @property {(how: How) => Promise<File>} picture
 * @property {(how: How) => Promise<Outcome>} save saves the meme; repeated calls save it once
 *
 * @typedef {{signal: AbortSignal, onProgress: (share: number) => void}} How
 *
 * @typedef {{meme: object} | {waits: object} | {conflict: import('../app/problem.js').Problem}} Outcome
 *   waits: the upload, which is sent when the server is reachable; conflict: the meme was changed elsewhere
 */

/**
 * Shares a meme through the system's share sheet if it accepts pictures, or else through a dialog. A new meme is saved
 * after it was shared, or when the user has chosen a target. If the user cancels before that, nothing is saved.
 *
 * @param {Sharable} sharable
 * @returns {Promise<Outcome | null>} `null` if the user canceled
 */
export function share(sharable) {
  return new ShareDialog(sharable).run();
}

/** Shares an existing meme. */
export async function shareMeme(meme) {
  const title = meme.altText || 'A meme';
  await share({
    title, visibility: meme.visibility, isNew: false, mayWait: () => false,
    save: async () => ({ meme }),
    picture: ({ signal }) => savedPicture(meme, { signal }),
  });
}

/**
 * Fetches the picture of a saved meme.
 *
 * @param {{signal: AbortSignal, token?: string}} how token: the meme's `deleteToken`
 * @throws {Problem}
 */
export async function savedPicture({ image: { url } }, { signal, token }) {
  const response = await request('GET', url.slice(base.length), { signal, token });
  const blob = await response.blob().catch((error) => {
    if (signal.aborted) throw error;
    throw Problem.unanswered();
  });
  return pictureFile(blob);
}

/** Converts a picture to a file with a name. */
export function pictureFile(blob) {
  const kind = blob.type.slice('image/'.length);
  return new File([blob], `meme.${kind === 'jpeg' ? 'jpg' : kind}`, { type: blob.type });
}
