import { address, succeeded } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { formOf } from './form.js';

/** The delay between the last change and the preview request in milliseconds, for still and animated pictures. */
const pauses = { still: 200, moving: 900 };

/**
 * The server's rendering of a draft, requested once the draft stays unchanged for a moment. It has the size of the
 * final meme: at another size, lines might break elsewhere. Only the newest request counts. Until it completes, the
 * stage shows the browser's own rendering.
 *
 * Dispatches `change` when a new rendering arrives and when the current one becomes outdated.
 */
export class Preview extends EventTarget {
  /** @type {string | null} an object URL of the current draft's rendering; `null` if there is none yet */
  url = null;
  /** @type {Blob | null} */
  #drawing = null;
  /** @type {Problem | null} why the server rejects the draft */
  problem = null;
  #key = '';
  #timer = 0;
  /** @type {AbortController | null} */
  #asking = null;

  /**
   * Requests a preview of the draft if its appearance changed.
   *
   * @param {import('./draft.js').Draft} draft
   */
  follow(draft) {
    const source = draft.picture?.source;
    const fields = seen(draft.fields({ drawn: true }));
    const key = source ? keyOf(fields, source) : '';
    if (key === this.#key) return;
    this.#key = key;
    this.#forget();
    if (!key) return;
    this.#timer = setTimeout(() => this.#ask(fields, source), pauses[draft.picture.isMoving ? 'moving' : 'still']);
  }

  /** The rendering, if it shows exactly these fields and this source. */
  of(fields, source) {
    return keyOf(seen(fields), source) === this.#key ? this.#drawing : null;
  }

  async #ask(fields, source, attempt = 1) {
    this.#asking = new AbortController();
    const { signal } = this.#asking;
    try {
      const response = await drawn(fields, source, signal);
      const drawing = await response.blob();
      if (signal.aborted) return;
      [this.#drawing, this.url] = [drawing, URL.createObjectURL(drawing)];
      this.dispatchEvent(new Event('change'));
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Problem)) throw error;
      if (error.status === 422) {
        this.problem = error;
        this.dispatchEvent(new Event('change'));
      } else if (error.isPassing && attempt < 4) {
        this.#timer = setTimeout(() => this.#ask(fields, source, attempt + 1), (error.retryAfter ?? attempt) * 1000);
      }
    }
  }

  #forget() {
    clearTimeout(this.#timer);
    this.#asking?.abort();
    const had = this.url !== null || this.problem !== null;
    if (this.url) URL.revokeObjectURL(this.url);
    [this.#drawing, this.url, this.problem] = [null, null, null];
    if (had) this.dispatchEvent(new Event('change'));
  }

  end() {
    this.#key = '';
    this.#forget();
  }
}

/** The fields without those that do not affect the picture. */
const seen = (fields) => ({ ...fields, altText: null, tags: null, visibility: null });

const keyOf = (fields, source) => JSON.stringify([fields, source]);

/**
 * Requests a rendering from the server.
 *
 * @returns {Promise<Response>} a picture
 * @throws {Problem}
 */
export async function drawn(fields, source, signal) {
  let response;
  try {
    response = await fetch(address('/memes/preview'), { method: 'POST', body: formOf(seen(fields), source), signal });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw Problem.unanswered();
  }
  return succeeded(response);
}
