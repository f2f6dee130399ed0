import { deleteTokens } from '../app/delete-tokens.js';
import { store } from '../app/store.js';
import { outbox } from '../offline/outbox.js';
import { send } from '../share/sending.js';
import { pictureFile } from '../share/share.js';
import { changes, textsOf } from './form.js';
import { drawn } from './preview.js';
import { thumbnail } from './render.js';

/** How a draft becomes a meme, or another version of the one that it came of. */
export class Saving {
  #draft;
  #preview;
  /** @type {object | null} the meme as it was when its editing began, or as it is since a choice was made */
  #meme;
  /** The fields as they were then. */
  #before;

  /**
   * @param {import('./draft.js').Draft} draft
   * @param {import('./preview.js').Preview} preview which may have drawn it already
   */
  constructor(draft, preview, meme = null) {
    [this.#draft, this.#preview, this.#meme, this.#before] = [draft, preview, meme, draft.fields()];
  }

  /** Whether there is a meme that is changed by it. */
  get isEdit() {
    return this.#meme !== null;
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
   * @returns {Promise<{meme: object} | {waits: object}>} the meme; or what waits in the outbox until the server can be reached
   * @throws {import('../app/problem.js').Problem} 412 with the meme as it is, where that was changed elsewhere
   */
  async save({ signal, onProgress }) {
    if (!this.#meme) {
      // What is new need not be there ahead: the outbox has the picture itself.
      await this.#arrived(onProgress, signal).catch((error) => {
        if (error.status !== 0) throw error;
      });
      return this.#create(signal, onProgress);
    }
    await this.#arrived(onProgress, signal);
    const meme = await this.#edit(signal);
    store.tell({ kind: 'upsert', meme });
    return { meme };
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

  /** @returns {Promise<{meme: object} | {waits: object}>} */
  async #create(signal, progress) {
    const [fields, { picture }] = [this.#draft.fields(), this.#draft];
    const words = fields.captions?.map(({ text }) => text) ?? [];
    return outbox.send({
      fields: textsOf(fields, picture.source), picture: picture.file, signal, progress,
      preview: {
        top: fields.top ?? words[0] ?? '', bottom: fields.bottom ?? words[1] ?? '', altText: fields.altText ?? '',
        thumbnail: await thumbnail(this.#draft).catch(() => null),
      },
    });
  }

  async #edit(signal) {
    const { id, version } = this.#meme;
    const changed = {
      ...changes(this.#draft.fields(), this.#before), ...(!this.#draft.picture.isKept && this.#draft.picture.source),
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
