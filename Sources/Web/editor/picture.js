import { request } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { takeBack, upload } from '../share/upload.js';
import { decodeAny, isMovingFile, shrink } from './decoding.js';

/** The server's standards. One that takes less says so, and the picture is made smaller then. */
const most = { bytes: 32 << 20, pixels: 100e6 };

/**
 * A picture to make a meme of: what is shown of it here, and how the server comes to have it. It is sent ahead as soon as it
 * is chosen, so that previews can be drawn on it and sharing need not wait.
 *
 * An event `change` says that it is sent further, or could not be sent; `problem` has why.
 */
export class Picture extends EventTarget {
  url = '';
  width = 0;
  height = 0;
  isMoving = false;
  /** From 0 to 1; 1 where it is there. */
  progress = 0;
  /** @type {Problem | null} */
  problem = null;
  /** Whether it was made smaller to be taken. */
  isShrunk = false;
  /** @type {{upload?: string, template?: string} | null} what it is to the server, once it is there */
  source = null;
  /** Whether it is the one that the meme has. */
  isKept = false;
  /** @type {Promise<void>} */
  #sent = Promise.resolve();
  /** @type {Blob | null} */
  #file = null;
  #ending = new AbortController();

  /**
   * Takes a file, and begins to send it.
   *
   * @param {Blob} file
   * @throws {Problem} where it is no picture that the browser can show
   */
  static async of(file, { isKept = false } = {}) {
    const picture = new Picture();
    picture.isKept = isKept;
    await picture.#take(file);
    if (!isKept && (file.size > most.bytes || picture.width * picture.height > most.pixels)) await picture.#shrink();
    picture.send();
    return picture;
  }

  /** A template of the server's. */
  static ofTemplate({ id, image, altText }) {
    const picture = new Picture();
    Object.assign(picture, {
      url: image.url, width: image.width, height: image.height, progress: 1, source: { template: id },
      isMoving: ['image/gif', 'image/webp'].includes(image.mediaType), altText,
    });
    return picture;
  }

  /** What a meme was made of. @param {string} [token] its `deleteToken` */
  static async ofMeme({ original }, token, signal) {
    const path = original.url.slice(original.url.indexOf('/memes/'));
    const response = await request('GET', path, { token, signal });
    const picture = await Picture.of(await response.blob(), { isKept: true });
    // What is shown may be smaller; crops are counted in the meme's own pixels.
    return Object.assign(picture, { width: original.width, height: original.height });
  }

  async #take(given) {
    const { file, url, width, height } = await decodeAny(given);
    if (this.url.startsWith('blob:')) URL.revokeObjectURL(this.url);
    this.#file = file;
    Object.assign(this, { url, width, height, isMoving: await isMovingFile(file) });
  }

  async #shrink() {
    // A crop of the larger one would be another part of this one; there is none yet.
    await this.#take(await shrink(this.url, this.width, this.height, this.#file.type === 'image/png'));
    [this.isShrunk, this.isMoving] = [true, false];
  }

  /** What was chosen, as a file; `null` where the server has it already. */
  get file() {
    return this.#file;
  }

  /** Sends it, or goes on trying. */
  send() {
    if (this.source || !this.#file) return;
    [this.problem, this.progress] = [null, 0];
    this.#sent = this.#send();
    this.#sent.catch(() => {});
  }

  async #send() {
    try {
      const { id } = await this.#upload();
      this.source = { upload: id };
      if (this.#ending.signal.aborted) takeBack(id);
    } catch (error) {
      if (error.name === 'AbortError') throw error;
      this.problem = error;
      throw error;
    } finally {
      this.dispatchEvent(new Event('change'));
    }
  }

  async #upload() {
    const how = {
      signal: this.#ending.signal,
      onProgress: (share) => {
        this.progress = share;
        this.dispatchEvent(new Event('change'));
      },
    };
    try {
      return await upload(this.#file, how);
    } catch (error) {
      // Too large for this server, or of a kind that it does not read: what the browser makes of it may be neither.
      const isRefused = [413, 415].includes(error.status) || error.errors?.some(({ code }) => code === 'too-many-pixels');
      if (!isRefused || this.isShrunk || this.isKept) throw error;
      await this.#shrink();
      return upload(this.#file, how);
    }
  }

  /** Waits until the server has it. @throws {Problem} where that does not work */
  async arrived() {
    if (this.problem) this.send();
    await this.#sent;
  }

  /** It is not wanted any more. @param {boolean} isUsed whether a meme was made of it */
  end(isUsed = false) {
    this.#ending.abort();
    if (this.url.startsWith('blob:')) URL.revokeObjectURL(this.url);
    if (this.source?.upload && !isUsed) takeBack(this.source.upload);
  }
}
