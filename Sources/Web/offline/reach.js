import { address, calls } from '../app/api.js';
import { live } from '../app/live.js';
import { store } from '../app/store.js';

/** How long until the server is looked for again, in milliseconds: longer each time. */
const pauses = { first: 2000, longest: 30_000 };

/**
 * Finds out whether the server is there, and puts it into the store as `isReached`. What the browser says of the network is a
 * hint alone: there is a network without the server, and a server without one, on the same machine.
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

  /** Asks the server whether it is there. */
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
    this.#pause = pauses.first;
    store.set('isReached', true);
  }

  #missed() {
    store.set('isReached', false);
    clearTimeout(this.#timer);
    // A tab that nobody sees can wait until somebody does.
    if (document.hidden) return;
    this.#timer = setTimeout(() => this.look(), this.#pause);
    this.#pause = Math.min(this.#pause * 1.5, pauses.longest);
  }
}

export const reach = new Reach();
