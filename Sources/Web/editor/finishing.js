import { tellProblem } from '../app/memes.js';
import { Problem } from '../app/problem.js';
import { store } from '../app/store.js';
import { title } from '../app/words.js';
import { share } from '../share/share.js';
import { askWhose } from './conflict-dialog.js';
import { Draft } from './draft.js';

/**
 * @typedef {{meme: object} | {waits: object} | {theirs: object} | null} Outcome
 *   meme: the saved meme; waits: the outbox entry that becomes a meme once the server is reachable; theirs: another
 *   version of the meme, to continue editing from; `null`: nothing was saved
 */

/** Completes the editing of a draft: shares it, or only saves it. */
export class Finishing {
  #draft;
  #saving;

  /** @param {Draft} draft @param {import('./saving.js').Saving} saving */
  constructor(draft, saving) {
    [this.#draft, this.#saving] = [draft, saving];
  }

  /** Shares the draft. Sharing saves it. @returns {Promise<Outcome>} */
  async share() {
    let saved = null;
    const result = await share({
      title: this.#draft.altText.trim() || title(this.#draft.fields()), visibility: this.#draft.visibility, isNew: true,
      mayWait: (error) => this.#saving.mayWait(error),
      picture: (how) => this.#saving.picture(how),
      // Repeated calls share one save, unless it failed.
      save: (how) => {
        saved ??= this.#saving.save(how).catch((error) => {
          saved = null;
          throw error;
        });
        return saved;
      },
    });
    if (result?.conflict) return this.#settle(result.conflict, () => this.share());
    return result;
  }

  /** Saves the draft. @param {import('../share/share.js').How} how @returns {Promise<Outcome>} */
  async save(how) {
    try {
      return await this.#saving.save(how);
    } catch (error) {
      if (error.status === 412) return this.#settle(error, () => this.save(how));
      if (error.name !== 'AbortError') tellProblem(error);
      return null;
    }
  }

  /** Handles a conflict with another version of the meme: shows the differences and asks which version to keep. */
  async #settle({ meme }, again) {
    if (!meme) {
      tellProblem(new Problem('gone', { status: 410 }));
      return null;
    }
    const choice = await askWhose({
      before: this.#saving.before, theirs: Draft.of(meme).fields(), mine: this.#draft.fields(), picture: meme.image.url,
    });
    if (choice === 'mine') {
      this.#saving.continueFrom(meme);
      return again();
    }
    if (choice !== 'theirs') return null;
    store.tell({ kind: 'upsert', meme });
    return { theirs: meme };
  }
}
