import { live } from '../app/live.js';
import { MemeList } from '../app/meme-list.js';
import { deleteMeme, mayDelete } from '../app/memes.js';
import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { moveByKey, placeOf } from '../elements/list-keys.js';
import { problemNote } from '../elements/problem-note.js';
import '../elements/windowed-list.js';
import { memeViews } from '../sent/meme-views.js';

/** Memes from any list of the API, as a table or a grid, with a note if the list is empty. */
export class MemeShelf extends Part {
  #facts;
  #memes;
  #list;
  #note = el('div');

  /**
   * @param {{path: string, query?: Record<string, string>, view: 'table' | 'grid', label: string, empty: () => Node,
   *   takes?: (meme: object) => boolean}} facts
   *   takes: whether a new or restored meme belongs in this list
   */
  constructor(facts) {
    super();
    this.#facts = facts;
  }

  build() {
    const { view, label } = this.#facts;
    this.#list = Object.assign(document.createElement('windowed-list'), memeViews[view]);
    this.#list.setAttribute('aria-label', label);
    this.append(this.#list, this.#note);
  }

  connected() {
    const { path, query = {}, view, takes } = this.#facts;
    const memes = new MemeList(path, { ...query, view }, { lifetime: this.lifetime, takes });
    this.#memes = memes;
    this.listen(memes, 'change', () => this.#changed());
    this.listen(live, 'refresh', () => this.refresh());
    this.listen(this.#list, 'end', () => {
      if (!memes.problem) memes.more();
    });
    this.listen(this, 'keydown', (event) => this.#keyDown(event));
    this.setAttribute('aria-busy', 'true');
    memes.more();
  }

  /** Loads the newest memes again. @returns {Promise<import('../app/problem.js').Problem | null>} why that failed */
  async refresh() {
    await this.#memes.refresh();
    return this.#memes.problem;
  }

  /** Draws the changes that arrived while the list was hidden. */
  returned() {
    this.#changed();
  }

  #changed() {
    const memes = this.#memes;
    const lost = this.#list.contains(document.activeElement) ? placeOf(document.activeElement) : undefined;
    this.#list.show(memes.items, memes.isWhole);
    this.setAttribute('aria-busy', String(!memes.hasBegun));
    this.#note.replaceChildren(...this.#notes());
    // The focused item was deleted, so the focus moves to the item in its place.
    if (lost !== undefined && !this.#list.contains(document.activeElement)) {
      const next = this.#list.reveal(Math.min(lost, memes.items.length - 1))?.querySelector('a');
      (next ?? document.querySelector('#pages > :not([hidden]) h1'))?.focus({ preventScroll: true });
    }
  }

  #notes() {
    const memes = this.#memes;
    if (memes.problem) return [problemNote(memes.problem, () => memes.retry())];
    // A page may be empty although the list goes on.
    if (memes.hasBegun && memes.items.length === 0 && !memes.isWhole && !memes.isLoading) memes.more();
    return memes.hasBegun && memes.items.length === 0 && memes.isWhole ? [this.#facts.empty()] : [];
  }

  #keyDown(event) {
    if (moveByKey(event, this.#list) || event.ctrlKey || event.metaKey || event.altKey) return;
    const item = this.#memes.items[placeOf(event.target)];
    if (item && ['Delete', 'Backspace'].includes(event.key) && mayDelete(item)) {
      event.preventDefault();
      deleteMeme(item.id);
    }
  }
}

customElements.define('meme-shelf', MemeShelf);
