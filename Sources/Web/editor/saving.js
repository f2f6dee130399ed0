import { deleteTokens } from '../app/delete-tokens.js';
import { store } from '../app/store.js';
import { newKey, send } from '../share/sending.js';
import { pictureFile } from '../share/share.js';
import { changes, formOf } from './form.js';
import { drawn } from './preview.js';

/** How a draft becomes a meme, or another version of the one that it came of. */
export class Saving {
  #draft;
  #preview;
  /** @type {object | null} the meme as it was when its editing began, or as it is since a choice was made */
  #meme;
  /** The fields as they were then. */
  #before;
  /** One for each meme: however often it is sent, there is one. */
  #key = newKey();
  /** What was sent first with the key. */
  #first = null;

  /**
   * @param {import('./draft.js').Draft} draft
   * @param {import('./preview.js').Preview} preview which may have drawn it already
   */
  constructor(draft, preview, meme = null) {
    [this.#draft, this.#preview, this.#meme, this.#before] = [draft, preview, meme, draft.fields()];
  }

  get before() {
    return this.#before;
  }

  /** Goes on from a version that somebody else made: what is changed here is changed in that one. */
  continueFrom(meme) {
    this.#meme = meme;
  }

  /** The picture as it will be saved. @param {import('../share/share.js').How} how */
  async picture({ signal, onProgress }) {
    await this.#arrived(onProgress, signal);
    const [fields, { source }] = [this.#draft.fields(), this.#draft.picture];
    return pictureFile(this.#preview.of(fields, source) ?? await (await drawn(fields, source, signal)).blob());
  }

  /**
   * Saves it.
   *
   * @param {import('../share/share.js').How} how
   * @returns {Promise<object>} the meme
   * @throws {import('../app/problem.js').Problem} 412 with the meme as it is, where that was changed elsewhere
   */
  async save({ signal, onProgress }) {
    await this.#arrived(onProgress, signal);
    const meme = this.#meme ? await this.#edit(signal) : await this.#create(signal);
    store.tell({ kind: 'upsert', meme });
    return meme;
  }

  /** Waits for the picture to be there, telling how far it is. */
  async #arrived(onProgress, signal) {
    const { picture } = this.#draft;
    const tell = () => picture.progress < 1 && onProgress(picture.progress);
    tell();
    picture.addEventListener('change', tell);
    try {
      await Promise.race([picture.arrived(), new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
      })]);
    } finally {
      picture.removeEventListener('change', tell);
    }
  }

  async #create(signal) {
    const fields = this.#draft.fields();
    this.#first ??= { fields, source: this.#draft.picture.source };
    try {
      return await this.#post(fields, this.#draft.picture.source, signal);
    } catch (error) {
      if (error.code !== 'idempotency-key-reused') throw error;
      // The first was saved after all, though its answer was lost; what was changed since is an edit of it.
      this.#meme = await this.#post(this.#first.fields, this.#first.source, signal);
      this.#before = this.#first.fields;
      return this.#edit(signal, this.#first.source !== this.#draft.picture.source);
    }
  }

  async #post(fields, source, signal) {
    const response = await send('POST', '/memes', {
      body: formOf(fields, source), signal, headers: { 'Idempotency-Key': this.#key, Accept: 'application/json' },
    });
    const { deleteToken, ...meme } = await response.json();
    if (deleteToken) await deleteTokens.keep(meme.id, deleteToken);
    return meme;
  }

  async #edit(signal, isOtherPicture = !this.#draft.picture.isKept) {
    const { id, version } = this.#meme;
    const changed = {
      ...changes(this.#draft.fields(), this.#before), ...(isOtherPicture && this.#draft.picture.source),
    };
    if (Object.keys(changed).length === 0) return this.#meme;
    const token = deleteTokens.of(id);
    const response = await send('PATCH', `/memes/${encodeURIComponent(id)}`, {
      body: JSON.stringify(changed), signal,
      headers: {
        'Content-Type': 'application/merge-patch+json', 'If-Match': `"${version}"`, Authorization: token && `Bearer ${token}`,
      },
    });
    return response.json();
  }
}
