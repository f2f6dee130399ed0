import { address } from '../app/api.js';
import { Problem } from '../app/problem.js';
import { formOf } from './form.js';

/** How long nothing has to change before the server is asked, in milliseconds: a still picture and one that moves. */
const pauses = { still: 200, moving: 900 };

/**
 * The server's own drawing of a draft, asked for when nothing has changed for a moment. It is as large as the meme will be: in
 * another size, lines may break elsewhere. The newest wins; until it is there, what is drawn here is seen.
 *
 * An event `change` says that there is another, or that the one before is not what it would be any more.
 */
export class Preview extends EventTarget {
  /** @type {string | null} the address of the drawing of the draft as it is; `null` where there is none (yet) */
  url = null;
  /** @type {Blob | null} */
  #drawing = null;
  /** @type {Problem | null} why the draft cannot be a meme */
  problem = null;
  #key = '';
  #timer = 0;
  /** @type {AbortController | null} */
  #asking = null;

  /**
   * The draft is this now.
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

  /** The drawing, where it is of these. */
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

/** Of the fields, those that are seen in the picture. */
const seen = (fields) => ({ ...fields, altText: null, visibility: null });

const keyOf = (fields, source) => JSON.stringify([fields, source]);

/**
 * Has the server draw it.
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
  if (response.ok) return response;
  throw await Problem.of(response);
}
