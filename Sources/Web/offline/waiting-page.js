import { el, icon, style } from '../app/dom.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { moment, title } from '../app/words.js';
import { backLink } from '../elements/tab-bar.js';
import { outbox } from './outbox.js';
import { picture, stateMark, takeBack, waitsFor } from './waiting.js';

await style('offline/offline.css');

/** An upload that is not on the server yet: its picture, the reason why it waits, and the possible actions. */
class WaitingPage extends Page {
  #key = '';
  /** @type {import('./queue.js').Entry | undefined} */
  #entry;
  #heading = el('h1', { tabindex: -1, dir: 'auto' }, 'Waiting');
  #picture = el('figure', { class: 'waiting-picture' });
  #state = el('p', { class: 'waiting-state', role: 'status' });
  #why = el('p', { class: 'is-quiet' });
  #actions = el('div', { class: 'waiting-actions' });
  #main = el('main', { class: 'waiting' });

  build() {
    this.append(el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes')), this.#main);
    this.#main.append(this.#picture, this.#heading, this.#state, this.#why, this.#actions);
  }

  connected() {
    this.listen(outbox, 'change', () => this.#show());
  }

  enter({ key }) {
    this.#key = key;
    this.#show();
  }

  async #show() {
    const entry = outbox.entries.find(({ key }) => key === this.#key) ?? await outbox.entry(this.#key);
    if (!entry) return this.#gone();
    if (!this.#state.isConnected) this.#main.replaceChildren(this.#picture, this.#heading, this.#state, this.#why, this.#actions);
    if (entry.key !== this.#entry?.key) {
      this.#picture.replaceChildren(picture(entry, entry.preview.altText || title(entry.preview)));
    }
    this.#heading.textContent = title(entry.preview);
    this.#state.replaceChildren(stateMark(entry, outbox.partSent(entry.key)));
    this.#why.textContent = why(entry);
    if (entry.state !== this.#entry?.state) this.#actions.replaceChildren(...this.#choices(entry));
    this.#entry = entry;
    this.renamed();
  }

  #choices({ key, state }) {
    return [
      state === 'failed' && el('button', { type: 'button', class: 'button is-main', onclick: () => outbox.retry(key) },
        icon('refresh'), 'Try again'),
      el('a', { class: 'button', href: to.editor(null, key) }, icon('edit'), 'Edit'),
      el('button', { type: 'button', class: 'button', onclick: () => this.#discard() }, icon('delete'),
        state === 'failed' ? 'Discard' : 'Don’t send'),
    ].filter(Boolean);
  }

  async #discard() {
    const entry = this.#entry;
    router.back(to.table());
    await takeBack(entry);
  }

  /** Called if the upload was sent or discarded, in another tab or while this page was open, or its owner signed out. */
  #gone() {
    this.#entry = undefined;
    this.#main.replaceChildren(el('div', { class: 'note' }, icon('meme'), this.#heading,
      el('p', {}, 'It was sent or discarded, or its author is signed out.'), el('a', { class: 'button', href: to.table(), 'data-goes': 'back' }, 'Sent Memes')));
    this.#heading.textContent = 'No longer waiting';
    this.renamed();
  }
}

function why(entry) {
  const { state, problem, createdAt } = entry;
  if (state === 'failed') return `${problem?.sentence ?? ''} It stays on this device until you resend or discard it.`;
  return `Made ${moment(createdAt)}. Stored on this device. ${waitsFor(entry)}`;
}

customElements.define('waiting-page', WaitingPage);
