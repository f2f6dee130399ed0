import { address, calls } from '../app/api.js';
import { live } from '../app/live.js';
import { store } from '../app/store.js';

/** The delays before the server is checked again, in milliseconds. Each delay is longer than the last. */
const pauses = { first: 2000, longest: 30_000 };

/**
 * Finds out whether the server responds, and puts the result into the store as `isReached`. The browser's own network
 * state is only a hint: a network may lack the server, and a server on the same machine needs no network.
 */
class Reach {
  #timer = 0;
  #pause = pauses.first;

  start() {
    calls.addEventListener('answered', () => this.#found());
    calls.addEventListener('unanswered', () => this.#missed());
    live.addEventListener('lost', () => this.look());
    for (const type of ['online', 'offline']) window.addEventListener(type, () => this.look());
    document.addEventListener('visibilitychange', () => !document.hidden && !store.get('isReached') && this.look());
  }

  /** Checks whether the server responds. */
  async look() {
    clearTimeout(this.#timer);
    try {
      const answer = await fetch(address('/healthz'), { cache: 'no-store', signal: AbortSignal.timeout(5000) });
      if ((await answer.json()).status !== 'ok') throw new TypeError('This is not the server.');
      this.#found();
    } catch {
      this.#missed();
    }
  }

  #found() {
    clearTimeout(this.#timer);
    store.set('isReached', true);
    if (navigator.onLine) this.#pause = pauses.first;
    // The response may have been on its way when the network went.
    else this.#lookLater();
  }

  #missed() {
    store.set('isReached', false);
    clearTimeout(this.#timer);
    this.#lookLater();
  }

  #lookLater() {
    // A hidden tab can wait until it is visible again.
    if (document.hidden) return;
    this.#timer = setTimeout(() => this.look(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.5, pauses.longest);
  }
}

export const reach = new Reach();
