import { Problem } from '../app/problem.js';
import { problemNote } from '../elements/problem-note.js';
import { SectionPage } from './section-page.js';

/** The pause between two requests, in milliseconds. */
const pace = 3000;

/** The base class of pages that show how work of the server goes on. */
export class FreshPage extends SectionPage {
  #timer = 0;
  /** Whether the page shows its content, and not a problem. */
  #isReady = false;

  /** Whether to ask the server again soon. */
  get isMoving() {
    return false;
  }

  /** Asks the server, and updates what the page shows. @throws {Problem} */
  async refresh() {}

  /** Shows the content after the first response. */
  show() {}

  /** What to show in place of the content. @param {Problem} error */
  note(error) {
    return problemNote(error, () => this.load());
  }

  connected() {
    this.lifetime.addEventListener('abort', () => clearTimeout(this.#timer));
    this.listen(document, 'visibilitychange', () => this.follow());
  }

  returned(focused) {
    super.returned(focused);
    this.follow();
  }

  /** Asks the server, and shows the content or the problem that prevented it. */
  async load() {
    clearTimeout(this.#timer);
    this.main.setAttribute('aria-busy', 'true');
    try {
      await this.refresh();
      this.show();
      this.#isReady = true;
      this.#wait();
    } catch (error) {
      this.#isReady = false;
      this.main.replaceChildren(this.note(error));
    }
    this.main.removeAttribute('aria-busy');
  }

  /** Asks the server again, now and later. Continues if the server does not respond, because that may pass. */
  async follow() {
    clearTimeout(this.#timer);
    if (!this.isConnected || !this.isShown || document.hidden || this.main.ariaBusy === 'true') return;
    if (!this.#isReady) {
      await this.load();
      return;
    }
    try {
      await this.refresh();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (!error.isPassing) {
        this.#isReady = false;
        this.main.replaceChildren(this.note(error));
        return;
      }
    }
    this.#wait();
  }

  #wait() {
    clearTimeout(this.#timer);
    if (this.isConnected && this.isMoving) this.#timer = setTimeout(() => this.follow(), pace);
  }
}
