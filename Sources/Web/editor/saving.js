import { deleteTokens } from '../app/delete-tokens.js';
import { Problem } from '../app/problem.js';
import { store } from '../app/store.js';
import { outbox } from '../offline/outbox.js';
import { isOwn } from '../offline/owner.js';
import { send } from '../share/sending.js';
import { pictureFile, savedPicture } from '../share/share.js';
import { changes, textsOf } from './form.js';
import { drawn } from './preview.js';
import { thumbnail } from './render.js';

/** Saves a draft as a new meme, or as a new version of the meme that it was made from. */
export class Saving {
  #draft;
  #preview;
  /** @type {object | null} the meme when editing began, or the version from {@link Saving.continueFrom} */
  #meme;
  /** The draft's fields when editing began. */
  #before;

  /**
   * @param {import('./draft.js').Draft} draft
   * @param {import('./preview.js').Preview} preview may already have a rendering of the draft
   */
  constructor(draft, preview, meme = null) {
    [this.#draft, this.#preview, this.#meme, this.#before] = [draft, preview, meme, draft.fields()];
  }

  /** Whether the meme can still be saved after this error of its picture: it then waits in the outbox. */
  mayWait({ isUnanswered, status }) {
    return !this.#meme && (isUnanswered || (status === 401 && this.#draft.person !== null));
  }

  get before() {
    return this.#before;
  }

  /** Applies the changes of this draft to a version from elsewhere. */
  continueFrom(meme) {
    this.#meme = meme;
  }

  /** The picture as it will be saved. @param {import('../share/share.js').How} how */
  async picture({ signal, onProgress }) {
    if (this.#meme?.pictures.length > 0) return this.#savedPicture({ signal, onProgress });
    return this.#withUpload(onProgress, signal, async () => {
      const [fields, { source }] = [this.#draft.fields(), this.#draft.picture];
      return pictureFile(this.#preview.of(fields, source) ?? await (await drawn(fields, source, signal)).blob());
    });
  }

  /** Runs `work` after the upload. If the server has deleted the upload, uploads the file again and repeats it. */
  async #withUpload(onProgress, signal, work) {
    await this.#arrived(onProgress, signal);
    try {
      return await work();
    } catch (error) {
      const { picture } = this.#draft;
      if (!error.isForgottenUpload || !picture.file) throw error;
      picture.sendAgain();
      await this.#arrived(onProgress, signal);
      return work();
    }
  }

  /** Saves first: a preview cannot have the pictures in boxes that only the server has. */
  async #savedPicture(how) {
    const { meme } = await this.save(how);
    [this.#meme, this.#before] = [meme, this.#draft.fields()];
    return savedPicture(meme, { signal: how.signal, token: deleteTokens.of(meme.id) });
  }

  /**
   * Saves the draft.
   *
   * @param {import('../share/share.js').How} how
   * @returns {Promise<{meme: object} | {waits: object}>} the meme, or the outbox entry that waits for the server
   * @throws {import('../app/problem.js').Problem} 412 with the current meme if it was changed elsewhere
   */
  async save({ signal, onProgress }) {
    if (!this.#meme) {
      // A new meme can be saved without its upload: the outbox stores the picture itself.
      await this.#arrived(onProgress, signal).catch((error) => {
        if (!this.mayWait(error)) throw error;
      });
      return this.#create(signal, onProgress);
    }
    const meme = await this.#withUpload(onProgress, signal, () => this.#edit(signal));
    store.tell({ kind: 'upsert', meme });
    return { meme };
  }

  /**
   * Waits for the upload of the picture and reports its progress.
   *
   * @throws {Problem} also if the author of a new meme is signed out
   */
  async #arrived(onProgress, signal) {
    const { picture, person } = this.#draft;
    if (!this.#meme && !isOwn(person)) {
      throw store.get('person') ? new Problem('other-author', { status: 403 }) : new Problem('unauthorized', { status: 401 });
    }
    const tell = () => picture.progress < 1 && onProgress(picture.progress);
    tell();
    picture.addEventListener('change', tell);
    try {
      signal.throwIfAborted();
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
      fields: textsOf(fields, picture.source), picture: picture.file, person: this.#draft.person, signal, progress,
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
