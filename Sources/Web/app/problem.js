import { wait } from './words.js';

/** Messages for users, by the server's stable problem codes. */
const sentences = {
  'already-claimed': 'This meme belongs to somebody.',
  'backup-running': 'A backup is being made already.',
  'content-too-large': 'This is larger than the server takes.',
  'cross-site': 'The browser says that another site asked for this. Reload the page and try again.',
  'email-taken': 'Somebody has registered with this email.',
  'export-running': 'An export is being made already.',
  forbidden: 'You may not do this.',
  gone: 'This was deleted.',
  'internal-error': 'Something went wrong on the server.',
  'invalid-reset': 'This link cannot be used any more. It works once, for half an hour.',
  'mail-unavailable': 'The mail could not be sent. Try again later.',
  'not-found': 'This is not there, or not for you to see.',
  'not-ready': 'The server is not ready. Try again in a moment.',
  overloaded: 'The server has too much to do right now. Try again in a moment.',
  'precondition-failed': 'This was changed elsewhere meanwhile.',
  'render-timeout': 'Drawing this took too long.',
  'request-timeout': 'The connection was too slow.',
  'storage-busy': 'The server has too much to do right now. Try again in a moment.',
  'storage-full': 'The server has no room left.',
  suspended: 'This account is suspended.',
  'too-many-requests': 'That was too much at once. Wait a little and try again.',
  unauthorized: 'Sign in to see or do this.',
  'username-taken': 'Somebody has this name.',
  'unsupported-picture': 'This kind of picture cannot be read.',
  'wrong-credentials': 'The name or the password is wrong.',
};

/** The reason why a request failed. */
export class Problem extends Error {
  /**
   * @param {string} code the `code` member of the server's problem (RFC 9457), or `offline` or `unreachable`
   * @param {{status?: number, detail?: string, errors?: {field: string, code: string, message: string}[],
   *   requestID?: string | null, retryAfter?: number, meme?: object}} [facts]
   *   meme: its current state, if the change was based on an older one
   */
  constructor(code, { status = 0, detail, errors = [], requestID = null, retryAfter, meme } = {}) {
    super(detail ?? code);
    this.name = 'Problem';
    Object.assign(this, { code, status, detail, errors, requestID, retryAfter, meme });
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return [0, 408, 429, 500, 502, 503, 504].includes(this.status);
  }

  /** The message for users. */
  get sentence() {
    if (this.code === 'offline') return 'You are offline.';
    if (this.code === 'unreachable') return 'The server does not answer.';
    // The messages of the fields are the most specific.
    if (this.errors.length > 0) return this.errors.map((error) => error.message).join(' ');
    if (this.code === 'too-many-requests' && this.retryAfter) return `That was too often. Try again in ${wait(this.retryAfter)}.`;
    return sentences[this.code] ?? this.detail ?? 'Something went wrong.';
  }

  /** The problem of a `fetch` that got no response. */
  static unanswered() {
    return new Problem(navigator.onLine ? 'unreachable' : 'offline');
  }

  /** @param {Response} response a response with an error status */
  static async of(response) {
    const isProblem = response.headers.get('content-type')?.startsWith('application/problem+json');
    const body = isProblem ? await response.json().catch(() => ({})) : {};
    const seconds = Number(response.headers.get('retry-after'));
    return new Problem(body.code ?? 'unknown', {
      status: response.status,
      detail: body.detail,
      errors: body.errors,
      meme: body.meme,
      requestID: response.headers.get('x-request-id') ?? body.instance ?? null,
      retryAfter: Number.isFinite(seconds) && seconds > 0 ? seconds : undefined,
    });
  }
}
