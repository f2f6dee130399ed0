import { wait } from './words.js';

/** Messages for users, by the server's stable problem codes. */
const sentences = {
  'already-claimed': 'This meme already has an owner.',
  'backup-running': 'A backup is already running.',
  'code-required': 'Enter a code.',
  'connection-stopped': 'This connection is stopped. Restart it first.',
  'connections-off': 'This server sends no events to other programs.',
  'content-too-large': 'This exceeds the server’s size limit.',
  'cross-site': 'The request was blocked because it came from another site. Reload the page and try again.',
  'email-taken': 'This email is already in use.',
  'export-running': 'An export is already running.',
  forbidden: 'You don’t have permission.',
  gone: 'This was deleted.',
  'insufficient-scope': 'The access token isn’t for this.',
  'internal-error': 'Something went wrong on the server.',
  'identity-linked': 'This identity belongs to another account, or your account already has one of this provider.',
  'invitation-invalid': 'This invitation isn’t valid. It may be used, expired, or for another email.',
  'invalid-code': 'Wrong code. Each code works once; wait for the next one.',
  'invalid-reset': 'Links work once, for 30 minutes. Request a new one.',
  'last-way-to-sign-in': 'This is your only way to sign in. Set a password first.',
  'mail-unavailable': 'The email couldn’t be sent. Try again later.',
  'not-found': 'Not found, or you don’t have access.',
  'not-ready': 'The server is not ready. Try again in a moment.',
  'nothing-to-reload': 'This connection does not send new memes, so there is nothing to send again.',
  'other-author': 'Someone else began this meme here. Only they can share it, after they sign in.',
  overloaded: 'The server is busy. Try again in a moment.',
  'precondition-failed': 'This was changed elsewhere.',
  'provider-email-missing': 'The sign-in provider sent no email address, which a new account needs.',
  'provider-failed': 'The sign-in provider isn’t responding as it should. Try again later.',
  'provider-refused': 'The sign-in provider did not sign you in.',
  'registration-closed': 'This server accepts new accounts only with an invitation, or not at all.',
  'renamed-recently': 'You changed your username less than 30 days ago.',
  'email-unconfirmed': 'Confirm your email first.',
  'render-timeout': 'Rendering timed out.',
  'request-timeout': 'The connection was too slow.',
  'second-factor-on': 'The second factor is already on.',
  'second-factor-unreadable': 'This server can no longer check codes of your app. Use a recovery code, or ask its operator.',
  'sign-in-expired': 'This sign-in took too long, or was started in another browser. Try again.',
  'sign-in-to-link': 'An account with your email exists. Sign in with your password, then link the provider in Settings, Security.',
  'storage-busy': 'The server is busy. Try again in a moment.',
  'storage-full': 'The server’s disk is full.',
  suspended: 'This account is suspended.',
  'too-many-connections': 'You have too many connections. Delete one first.',
  'too-many-invitations': 'You have too many open invitations. Delete one first.',
  'too-many-mappings': 'This connection has too many mappings. Delete one first.',
  'too-many-tokens': 'You have too many access tokens. Delete one first.',
  'too-many-requests': 'Slow down a little, then try again.',
  unauthorized: 'Sign in to continue.',
  'username-taken': 'This username is taken.',
  'unsupported-picture': 'This picture format isn’t supported.',
  'wrong-credentials': 'Wrong username or password.',
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

  /** Whether the server did not respond. */
  get isUnanswered() {
    return ['offline', 'unreachable'].includes(this.code);
  }

  /** Whether the same request may succeed later. */
  get isPassing() {
    return this.isUnanswered || [408, 429, 500, 502, 503, 504].includes(this.status);
  }

  /** Whether the server no longer has the upload that a request named. Uploads that no meme uses expire. */
  get isForgottenUpload() {
    return this.errors.some(({ code }) => code === 'unknown-upload');
  }

  /** The message for users. */
  get sentence() {
    if (this.code === 'offline') return 'You are offline.';
    if (this.code === 'unreachable') return 'The server isn’t responding.';
    // The messages of the fields are the most specific.
    if (this.errors.length > 0) return this.errors.map((error) => error.message).join(' ');
    if (this.code === 'too-many-requests' && this.retryAfter) return `Too many attempts. Try again in ${wait(this.retryAfter)}.`;
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
