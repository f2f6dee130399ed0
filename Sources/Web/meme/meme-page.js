import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { el, icon, style } from '../app/dom.js';
import { live } from '../app/live.js';
import { deleteMeme, mayEdit } from '../app/memes.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { router } from '../app/router.js';
import { store } from '../app/store.js';
import { title } from '../app/words.js';
import { orReload } from '../elements/or-reload.js';
import { problemNote } from '../elements/problem-note.js';
import { backLink } from '../elements/tab-bar.js';
import './meme-comments.js';
import { memeActions, memeFacts, memeLikes, memeTags } from './meme-facts.js';
import './meme-remixes.js';

await style('meme/meme.css');

/** A single meme: its picture as large as the window permits, its actions, and its comments. */
class MemePage extends Page {
  #id = '';
  /** @type {object | null} */
  #meme = null;
  /** Counts loads. The response to an earlier one is dropped. */
  #asked = 0;
  #picture = el('figure', { class: 'meme-picture' });
  #heading = el('h1', { tabindex: -1, dir: 'auto' }, 'Meme');
  #about = el('div', { class: 'meme-about' });
  #facts = el('div');
  #actions = el('div');
  #edit = el('a', { class: 'bar-action', hidden: true }, icon('edit'), 'Edit');
  #more = el('button', {
    type: 'button', class: 'icon-button', 'aria-label': 'More', hidden: true, onclick: () => this.#menu(),
  }, icon('more'));
  #remixes = document.createElement('meme-remixes');
  #comments = document.createElement('meme-comments');
  #main = el('main', { class: 'meme is-empty' });

  build() {
    this.#about.append(this.#heading, this.#facts, this.#actions, this.#comments, this.#remixes);
    this.append(
      el('header', { class: 'bar' }, backLink(to.table(), 'Sent Memes'),
        el('div', { class: 'bar-actions' }, this.#edit, this.#more)),
      this.#main);
    this.#main.append(this.#picture, this.#about);
  }

  connected() {
    this.listen(store, 'meme', ({ detail }) => this.#happened(detail));
    this.listen(live, 'refresh', () => this.#refresh());
    // The user's account determines what they can see and do.
    this.listen(store, 'person', () => this.#load());
  }

  enter({ id }) {
    this.#id = id;
    this.#load();
  }

  returned(focused) {
    super.returned(focused);
    this.#refresh();
  }

  async #load() {
    const asked = ++this.#asked;
    this.#main.setAttribute('aria-busy', 'true');
    try {
      const meme = await api.get(`/memes/${encodeURIComponent(this.#id)}`);
      if (asked === this.#asked) this.#show(meme);
    } catch (error) {
      if (asked !== this.#asked) return;
      // A proxy may respond with 404 while the server restarts.
      if (['not-found', 'gone'].includes(error.code)) this.#gone(error.status);
      const note = problemNote(error, () => this.#load());
      // The meme may be for its author or for friends only.
      if (error.status === 404 && !store.get('person')) note.append(el('a', { class: 'button', href: to.signIn() }, 'Sign in'));
      this.#main.replaceChildren(this.#picture, this.#about, note);
      this.#main.classList.add('is-empty');
    }
    if (asked === this.#asked) this.#main.removeAttribute('aria-busy');
  }

  /** Requests the shown meme again. If that fails, or if the meme changed here since, the page stays as it is. */
  async #refresh() {
    if (!this.#meme || !this.isShown) return;
    const [asked, before] = [this.#asked, this.#meme];
    const meme = await api.get(`/memes/${encodeURIComponent(this.#id)}`).catch(() => null);
    if (!meme || meme.kept || asked !== this.#asked || before !== this.#meme || meme.version < before.version) return;
    this.#show(meme);
  }

  #show(meme) {
    const { image } = meme;
    const isSamePicture = this.#meme?.image.url === image.url;
    this.#meme = meme;
    this.#main.classList.remove('is-empty');
    this.#main.querySelector(':scope > .note')?.remove();
    if (!isSamePicture) {
      this.style.setProperty('--width', image.width);
      this.style.setProperty('--height', image.height);
      this.#picture.replaceChildren(
        el('img', { src: image.url, width: image.width, height: image.height, alt: meme.altText || title(meme) }));
    }
    this.#heading.textContent = title(meme);
    this.#facts.replaceChildren(...[memeFacts(meme), memeTags(meme), memeLikes(meme)].filter(Boolean));
    this.#showActions(meme);
    this.#edit.hidden = !mayEdit(meme);
    this.#edit.href = to.editor(meme.id);
    this.#more.hidden = false;
    this.#remixes.show(meme);
    this.#comments.show(meme);
    this.renamed();
  }

  /** Shows the actions and keeps the focus on the same action. */
  #showActions(meme) {
    const focused = this.#actions.contains(document.activeElement) ? document.activeElement.dataset.action : null;
    this.#actions.replaceChildren(memeActions(meme, () => this.#delete()));
    if (focused) this.#actions.querySelector(`[data-action=${focused}]`)?.focus({ preventScroll: true });
  }

  async #delete() {
    const isDeleted = deleteMeme(this.#id);
    router.back(to.table());
    await isDeleted;
  }

  /** The meme does not exist or was deleted. Removes it from all lists. */
  #gone(status) {
    store.tell({ kind: 'delete', id: this.#id });
    // A deleted meme (410) may still be restored, and then needs its delete token. An unknown meme (404) does not.
    if (status === 404) deleteTokens.forget(this.#id);
    this.#heading.textContent = 'Meme';
    this.#edit.hidden = this.#more.hidden = true;
  }

  async #menu() {
    const { memeMenu } = await orReload(import('../people/meme-menu.js'));
    memeMenu?.(this.#meme, () => this.isShown && router.back(to.table()));
  }

  #happened({ kind, id, meme, counts, viewer }) {
    if (!this.#meme || (id ?? meme?.id) !== this.#id) return;
    if (kind === 'upsert') this.#show(meme);
    if (kind === 'counts') this.#show({ ...this.#meme, counts, viewer: viewer ?? this.#meme.viewer });
  }
}

customElements.define('meme-page', MemePage);
