import { request } from '../app/api.js';
import { base } from '../app/dom.js';
import { Problem } from '../app/problem.js';
import { takeBack, upload } from '../share/upload.js';
import { decodeAny, isMovingFile, shrink } from './decoding.js';

/** The server's default limits. A server with lower limits rejects the upload; the picture is then scaled down. */
const most = { bytes: 32 << 20, pixels: 100e6 };

/**
 * The picture of a draft: its image in the browser, and its upload to the server. The upload starts as soon as the user
 * chooses the picture, so that the server can draw previews and sharing need not wait.
 *
 * Dispatches `change` when the upload advances, ends or fails; `problem` then has the error.
 */
export class Picture extends EventTarget {
  url = '';
  width = 0;
  height = 0;
  isMoving = false;
  /** Progress of the upload, from 0 to 1; 1 once it is complete. */
  progress = 0;
  /** @type {Problem | null} */
  problem = null;
  /** Whether the picture was scaled down to meet the server's limits. */
  isShrunk = false;
  /**
   * @type {{upload?: string, template?: string} | null} the field that names the picture in API requests; `null` until
   *   the upload is complete
   */
  source = null;
  /** Whether the meme already has this picture. */
  isKept = false;
  /** @type {Promise<void>} */
  #sent = Promise.resolve();
  /** @type {Blob | null} */
  #file = null;
  #ending = new AbortController();

  /**
   * Creates a picture from a file and starts the upload.
   *
   * @param {Blob} file
   * @throws {Problem} if the browser cannot show the file
   */
  static async of(file, { isKept = false } = {}) {
    const picture = new Picture();
    picture.isKept = isKept;
    await picture.#take(file);
    if (!isKept && (file.size > most.bytes || picture.width * picture.height > most.pixels)) await picture.#shrink();
    picture.send();
    return picture;
  }

  /** Creates a picture from one of the server's templates. */
  static ofTemplate({ id, image, altText }) {
    const picture = new Picture();
    Object.assign(picture, {
      url: image.url, width: image.width, height: image.height, progress: 1, source: { template: id },
      isMoving: ['image/gif', 'image/webp'].includes(image.mediaType), altText,
    });
    return picture;
  }

  /** Loads the original picture of a meme. @param {string} [token] its `deleteToken` */
  static async ofMeme({ original }, token, signal) {
    const response = await request('GET', original.url.slice(base.length), { token, signal });
    const picture = await Picture.of(await response.blob(), { isKept: true });
    // The loaded picture may be smaller, but crops are in pixels of the original.
    return Object.assign(picture, { width: original.width, height: original.height });
  }

  async #take(given) {
    const { file, url, width, height } = await decodeAny(given);
    if (this.url.startsWith('blob:')) URL.revokeObjectURL(this.url);
    this.#file = file;
    Object.assign(this, { url, width, height, isMoving: await isMovingFile(file) });
  }

  async #shrink() {
    // The size changes, so crops in pixels of the larger picture become invalid. Assumes that there is no crop yet.
    await this.#take(await shrink(this.url, this.width, this.height, this.#file.type === 'image/png'));
    [this.isShrunk, this.isMoving] = [true, false];
  }

  /** The chosen file; `null` if the picture is a template. */
  get file() {
    return this.#file;
  }

  /** Starts the upload, or retries it. */
  send() {
    if (this.source || !this.#file) return;
    [this.problem, this.progress] = [null, 0];
    this.#sent = this.#send();
    this.#sent.catch(() => {});
  }

  /** Uploads the file again, because the server no longer has the upload. */
  sendAgain() {
    this.source = null;
    this.send();
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
      // The server rejected the size or the format. A smaller copy that the browser encodes may be accepted.
      const isRefused = [413, 415].includes(error.status) || error.errors?.some(({ code }) => code === 'too-many-pixels');
      if (!isRefused || this.isShrunk || this.isKept) throw error;
      await this.#shrink();
      return upload(this.#file, how);
    }
  }

  /** Waits until the upload is complete. @throws {Problem} if it fails */
  async arrived() {
    if (this.problem) this.send();
    await this.#sent;
  }

  /** Releases the picture. @param {boolean} isUsed whether a meme was made of it; otherwise its upload is deleted */
  end(isUsed = false) {
    this.#ending.abort();
    if (this.url.startsWith('blob:')) URL.revokeObjectURL(this.url);
    if (this.source?.upload && !isUsed) takeBack(this.source.upload);
  }
}
