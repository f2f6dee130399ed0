import { el, icon } from '../app/dom.js';
import { Problem } from '../app/problem.js';
import { notify } from '../elements/notice-bar.js';
import { copy, linksOf, opening, record, showLink, targets } from './targets.js';

const warnings = {
  friends: 'Only your friends can open its link.',
  private: 'Only you can open its link. You can share the picture itself with anyone.',
};

/** A share dialog. It waits for the picture, opens the system's share sheet or offers targets, and saves the meme. */
export class ShareDialog {
  #sharable;
  #ending = new AbortController();
  /** @type {File | null} */
  #file = null;
  #result = null;
  /** The address of another program that opens when the dialog has closed. */
  #next = '';
  #picture = el('img', { class: 'share-picture', alt: '', hidden: true });
  #heading = el('h2', { id: 'share-title', tabindex: -1 }, 'Share');
  #choices = el('div', { class: 'share-choices' });
  #bar = el('progress', { class: 'share-bar', 'aria-labelledby': 'share-told' });
  #told = el('p', { id: 'share-told', role: 'status', class: 'share-told' });
  #problem = el('div', { class: 'share-problem', role: 'alert' });
  #cancel = el('button', { type: 'button', class: 'button', onclick: () => this.#dialog.close() }, 'Cancel');
  #dialog = el('dialog', { class: 'share', 'aria-labelledby': 'share-title' },
    this.#heading, this.#picture, this.#choices, this.#told, this.#bar, this.#problem,
    el('div', { class: 'dialog-buttons' }, this.#cancel));

  /** @param {import('./share.js').Sharable} sharable */
  constructor(sharable) {
    this.#sharable = sharable;
  }

  /** @returns {Promise<import('./share.js').Outcome | null>} */
  run() {
    document.body.append(this.#dialog);
    this.#dialog.showModal();
    const ended = new Promise((resolve) => {
      this.#dialog.addEventListener('close', () => {
        this.#ending.abort();
        if (this.#picture.src) URL.revokeObjectURL(this.#picture.src);
        this.#dialog.remove();
        resolve(this.#result);
        if (this.#next) openProgram(this.#next);
      });
    });
    this.#begin();
    return ended;
  }

  get #how() {
    return {
      signal: this.#ending.signal,
      onProgress: (share) => {
        this.#bar.value = share;
        this.#told.textContent = share < 1 ? `Uploading picture: ${Math.round(share * 100)} %` : 'Almost there …';
      },
    };
  }

  /** Shows progress while `work` runs. If it fails, shows the problem, and a button to try again if that may help. */
  async #busy(words, work) {
    this.#choices.hidden = true;
    this.#problem.replaceChildren();
    this.#bar.hidden = false;
    this.#bar.removeAttribute('value');
    this.#told.textContent = words;
    try {
      return await work();
    } catch (error) {
      if (this.#ending.signal.aborted) throw error;
      if (!(error instanceof Problem)) throw error;
      this.#told.textContent = '';
      this.#bar.hidden = true;
      // The caller handles an edit conflict, because it knows the edit.
      if (error.status === 412) {
        this.#result = { conflict: error };
        this.#dialog.close();
        throw error;
      }
      const offer = (name, run) => {
        this.#problem.replaceChildren(el('p', {}, error.sentence),
          el('button', { type: 'button', class: 'button is-main', onclick: run }, name));
        this.#problem.querySelector('button').focus();
      };
      if (!error.isPassing) {
        offer(this.#sharable.isNew ? 'Back to editing' : 'Close', () => this.#dialog.close());
        throw error;
      }
      await new Promise((resolve) => offer('Try again', resolve));
      return this.#busy(words, work);
    }
  }

  async #begin() {
    try {
      this.#file = await this.#busy('Creating your meme…', () => this.#sharable.picture(this.#how).catch((error) => {
        throw this.#sharable.mayWait(error) ? new Error('The meme may be sent later.', { cause: error }) : error;
      }));
    } catch (error) {
      return error.cause ? this.#offerLater(error.cause) : this.#failed(error);
    }
    this.#picture.src = URL.createObjectURL(this.#file);
    const sheet = await this.#sheet().catch(() => null);
    if (this.#ending.signal.aborted) return;
    if (sheet) await this.#bySheet(sheet);
    else this.#offer();
  }

  /** The data for the system's share sheet; `null` if no sheet accepts it. A new meme has no link yet. */
  async #sheet() {
    if (!navigator.share) return null;
    const { isNew, title, save } = this.#sharable;
    const link = isNew ? {} : { url: (await linksOf((await save(this.#how)).meme)).url };
    const all = { title, ...link, files: [this.#file] };
    if (navigator.canShare?.(all)) return all;
    return isNew ? null : { title, ...link };
  }

  #failed(error) {
    if (this.#ending.signal.aborted || error instanceof Problem) return;
    this.#dialog.close();
    notify('Something went wrong.');
    throw error;
  }

  /**
   * Opens the system's share sheet. If that requires a new click, or if the user closes the sheet of a new meme, offers
   * all choices.
   */
  async #bySheet(sheet) {
    try {
      await navigator.share(sheet);
    } catch (error) {
      if (this.#sharable.isNew || error.name !== 'AbortError') return this.#offer(sheet);
      return this.#dialog.close();
    }
    await this.#saved('other', async () => {});
  }

  /** @param {ShareData | null} [sheet] the data for the system's share sheet, if that is one of the choices */
  #offer(sheet = null) {
    const { isNew, visibility } = this.#sharable;
    this.#told.textContent = warnings[visibility] ?? '';
    this.#bar.hidden = true;
    this.#picture.hidden = false;
    const choice = ({ name, icon: picture }, run) => el('li', {},
      el('button', { type: 'button', class: 'share-choice', onclick: run }, icon(picture), el('span', {}, name)));
    this.#choices.hidden = false;
    this.#choices.replaceChildren(
      el('ul', { 'aria-label': 'Ways to share' },
        sheet && choice({ name: 'Share …', icon: 'share' }, () => this.#bySheet(sheet)),
        ...targets.map((target) => choice(target, () => this.#by(target.channel)))),
      isNew ? el('button', { type: 'button', class: 'button share-only', onclick: () => this.#saved(null, async () => {}) }, 'Save without sharing') : '');
    this.#choices.querySelector('button').focus();
  }

  /** Offers to keep the meme on this device until it can be sent. */
  #offerLater({ status }) {
    this.#bar.hidden = true;
    this.#told.textContent = status === 401 ? 'You’re signed out. Your meme can wait here until someone else signs in. It will be sent when you sign in.'
      : 'The server isn’t responding. Your meme can wait here and will be sent when you’re back online.';
    this.#choices.hidden = false;
    this.#choices.replaceChildren(
      el('button', { type: 'button', class: 'button is-main share-only', onclick: () => this.#saved(null, async () => {}) }, 'Save and send later'));
    this.#choices.querySelector('button').focus();
  }

  /** Saves the meme for the target that the user chose. */
  #by(channel) {
    if (channel === 'image') {
      download(this.#file);
      return this.#saved('other', async () => notify('Image saved.'));
    }
    const links = this.#begun();
    if (channel === 'link') {
      const isCopied = copy(links.then(({ url }) => url));
      return this.#saved('link', async (meme) => {
        if (await isCopied) notify('Link copied.');
        else await showLink((await again(links, meme)).url);
      });
    }
    // Pages may open a window only during the click. Its address is known later, when the meme is saved.
    const opened = opening.includes(channel) ? window.open('', '_blank') : null;
    if (opened) opened.opener = null;
    links.then((known) => known ?? opened?.close(), () => opened?.close());
    return this.#saved(channel, async (meme) => {
      const address = (await again(links, meme)).targets[channel];
      if (opened && !opened.closed) opened.location.replace(address);
      else if (!opening.includes(channel)) this.#next = address;
      else notify('The browser blocked a pop-up.', { action: 'Open it', run: () => window.open(address, '_blank', 'noopener') });
    });
  }

  /** Saves the meme and requests its links during the click. A waiting meme has none. `#saved` shows a failure. */
  #begun() {
    const links = this.#sharable.save(this.#how).then(({ meme }) => meme && linksOf(meme));
    links.catch(() => {});
    return links;
  }

  /** @param {string | null} channel @param {(meme: object) => Promise<void>} then the remaining work with the meme */
  async #saved(channel, then) {
    try {
      this.#result = await this.#busy(this.#sharable.isNew ? 'Saving your meme …' : 'One moment …', async () => {
        const outcome = await this.#sharable.save(this.#how);
        if (outcome.meme) await then(outcome.meme);
        return outcome;
      });
      if (channel && this.#result.meme) record(this.#result.meme, channel);
      this.#dialog.close();
    } catch (error) {
      this.#failed(error);
    }
  }
}

/** The links. If the first request failed, requests them again. */
const again = (links, meme) => links.catch(() => linksOf(meme));

function download(file) {
  const url = URL.createObjectURL(file);
  el('a', { href: url, download: file.name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/**
 * Opens the program for an address such as `mailto:…`. Browsers treat this as leaving the page, so the editor first
 * learns that its draft is saved, and does not warn. It may go back, and a navigation that begins before the end of that
 * has no effect (HTML, "navigate").
 */
async function openProgram(address) {
  await new Promise((resolve) => {
    addEventListener('popstate', resolve, { once: true });
    setTimeout(resolve, 500);
  });
  setTimeout(() => location.assign(address));
}
