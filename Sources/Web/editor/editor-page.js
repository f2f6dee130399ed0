import { api } from '../app/api.js';
import { deleteTokens } from '../app/delete-tokens.js';
import { el, icon, style } from '../app/dom.js';
import { mayEdit, tellProblem } from '../app/memes.js';
import { Page } from '../app/page.js';
import { to } from '../app/places.js';
import { preferences } from '../app/preferences.js';
import { Problem } from '../app/problem.js';
import { router } from '../app/router.js';
import { store } from '../app/store.js';
import { ask } from '../elements/ask-dialog.js';
import { notify } from '../elements/notice-bar.js';
import { problemNote } from '../elements/problem-note.js';
import { outbox } from '../offline/outbox.js';
import { isOwn, owner } from '../offline/owner.js';
import { queue } from '../offline/queue.js';
import { waitsFor } from '../offline/waiting.js';
import { chooseFile, takeGiven } from './album.js';
import { findCamera, takePhoto } from './camera.js';
import { Draft } from './draft.js';
import { EditorPanels } from './editor-panels.js';
import { toolBar, updateTools } from './editor-tools.js';
import { listFaces } from './faces.js';
import { Finishing } from './finishing.js';
import { memeOf } from './form.js';
import { Picture } from './picture.js';
import { Preview } from './preview.js';
import { knowFaces, prepareFaces } from './render.js';
import { Saving } from './saving.js';
import './stage.js';
import { chooseTemplate } from './template-dialog.js';

await Promise.all([style('editor/editor.css'), style('editor/stage.css'), style('editor/panels.css')]);

/**
 * The time for which the outbox holds back an entry during editing, in milliseconds. Normally the page releases the
 * entry; this limit applies if the browser ends the page first.
 */
const longest = 3_600_000;

/**
 * The drafts that the user left without saving or discarding them, for example with the browser's back button. `place`
 * is the ID of their meme or the key of their outbox entry; `null` for a new meme. They last as long as the document.
 *
 * @type {Set<{place: string | null, draft: Draft, saving: Saving}>}
 */
const kept = new Set();

/** The kept draft that the user may continue at a place. */
const keptAt = (place) => [...kept].find((each) => each.place === place && isOwn(each.draft.person));

/**
 * Makes the user who signs in the author of a draft that was begun signed out. A new meme gets the visibility from the
 * user's settings: without an account there was no choice.
 *
 * @returns {Promise<boolean>} whether the visibility changed
 */
async function adopt(draft, isNew) {
  if (draft.person !== null || owner() === null) return false;
  draft.person = owner();
  if (!isNew) return false;
  // Without an answer, the settings of this device apply.
  await preferences.fetch().catch(() => {});
  if (draft.person !== owner() || draft.visibility !== 'public') return false;
  const isUntouched = !draft.hasWork;
  draft.visibility = store.get('settings').visibility;
  if (isUntouched) draft.touch();
  draft.changed();
  return true;
}

store.addEventListener('person', () => {
  for (const { draft, place } of kept) adopt(draft, place === null);
});

/** The page that creates and edits memes. */
class EditorPage extends Page {
  #id = null;
  /** The key of the outbox entry that is being edited, or `null`. @type {string | null} */
  #waiting = null;
  /** @type {Draft} */
  #draft = new Draft();
  #preview = new Preview();
  /** @type {Saving} */
  #saving = new Saving(this.#draft, this.#preview);
  #camera = { kind: 'none', why: '' };
  /** Whether the draft was saved or discarded. */
  #isOver = false;
  #isSaving = false;
  /** Counts the pictures that were chosen. A picture that opens after a newer one is dropped. */
  #taken = 0;
  /** The number of the chosen picture that is not open yet, or 0. */
  #opening = 0;
  /** Whether the draft is being saved or shared. Its picture must then stay. */
  #isFinishing = false;

  #heading = el('h1', { tabindex: -1 }, 'New Meme');
  #cancel = el('button', { type: 'button', class: 'bar-link', onclick: () => this.#leave() }, 'Cancel');
  #save = el('button', { type: 'button', class: 'bar-action', hidden: true, onclick: () => this.#finish(false) }, 'Save');
  #share = el('button', { type: 'button', class: 'bar-action is-share', onclick: () => this.#finish(true) }, icon('share'), 'Share');
  // Cancel is outside the fieldset: it works even while the other buttons are disabled.
  #actions = el('fieldset', { class: 'bar-actions' }, this.#save, this.#share);
  #bar = el('div', { class: 'editor-buttons' }, this.#cancel, this.#heading, this.#actions);
  #stage = document.createElement('editor-stage');
  #empty = el('div', { class: 'editor-empty' });
  #state = el('p', { class: 'editor-state', role: 'status' });
  #why = el('p', { id: 'camera-why', class: 'hint' });
  #panels = new EditorPanels(this.#stage);
  #tools = toolBar({
    Camera: () => this.#photograph(), Album: () => this.#choose(), Template: () => this.#template(), 'Add text': () => this.#addText(),
  }, (panel) => this.#panels.show(panel === this.#panels.open ? null : panel));
  #room = el('div', { class: 'editor' }, this.#empty, this.#stage, this.#state);
  #main = el('main', { class: 'editor-main' }, this.#room, this.#panels, this.#tools);

  build() {
    this.#empty.append(icon('album'), el('p', { class: 'note-title' }, 'Choose a picture'),
      el('p', {}, 'Use your photos or camera, or drop or paste a picture here.'), this.#why,
      el('button', { type: 'button', class: 'button is-main', onclick: () => this.#choose() }, 'Choose a file'));
    this.append(el('header', { class: 'bar' }, this.#bar), this.#main);
  }

  connected() {
    this.listen(this.#stage, 'editing', () => this.#enable(false));
    this.listen(this.#stage, 'edited', () => this.#enable(true));
    this.listen(this.#stage, 'select', () => this.#panels.follow(this.#draft, this.#stage.selected));
    this.listen(this.#panels, 'opened', () => this.#update());
    this.listen(this.#preview, 'change', () => this.#previewed());
    this.listen(window, 'beforeunload', (event) => {
      if (!this.#isOver && this.#draft.hasWork) event.preventDefault();
    });
    takeGiven(this, (file) => this.#take(file), () => this.isShown && !this.#isFinishing && !document.querySelector('dialog[open]'), this.lifetime);
    const look = async () => {
      this.#camera = await findCamera();
      this.#why.textContent = this.#camera.why;
      this.#update();
    };
    const resume = () => {
      const { picture, person } = this.#draft;
      if (store.get('isReached') && isOwn(person) && (picture?.problem?.isUnanswered || picture?.problem?.status === 401)) picture.send();
    };
    this.listen(store, 'isReached', resume);
    this.listen(store, 'person', () => {
      if (store.get('person') && !isOwn(this.#draft.person)) return this.#changeHands();
      const [draft, place] = [this.#draft, this.#place];
      adopt(draft, place === null)
        .then((isChanged) => isChanged && this.#draft === draft && this.#panels.follow(draft, this.#stage.selected));
      resume();
      // The server may draw another user's upload, or refuse to.
      this.#preview.end();
      this.#changed();
    });
    if (navigator.mediaDevices) this.listen(navigator.mediaDevices, 'devicechange', look);
    look();
    this.lifetime.addEventListener('abort', () => this.#end());
  }

  enter({ id = null }, query) {
    [this.#id, this.#waiting] = [id, query.get('waiting')];
    this.#heading.textContent = id ? 'Edit Meme' : 'New Meme';
    this.#save.hidden = id === null;
    this.renamed();
    this.#open();
    knowFaces().catch((error) => error.isUnanswered || tellProblem(error)).then(() => this.#changed());
  }

  /** What is edited here, as in {@link kept}. */
  get #place() {
    return this.#waiting ?? this.#id;
  }

  #open() {
    const own = keptAt(this.#place);
    if (own) this.#restore(own);
    else this.#renew();
  }

  /** Begins without a kept draft. */
  #renew() {
    if (this.#id) this.#load(this.#id);
    else if (this.#waiting) this.#takeBack(this.#waiting);
    else this.#start();
  }

  /** Continues a draft that was kept, and offers a new start. */
  async #restore(own) {
    const { draft, saving } = own;
    kept.delete(own);
    this.#follow(draft.picture);
    this.#begin(draft, null, saving);
    // The entry may have been sent since. Then the draft becomes another meme.
    const isLate = this.#waiting && !await this.#hold(this.#waiting);
    if (isLate) this.#waiting = null;
    notify(isLate ? 'Draft restored. The meme without your changes was already sent or discarded.' : 'Draft restored.', {
      action: 'Start over', run: () => {
        if (this.#draft !== draft || this.#isOver) return;
        if (!this.#id) draft.picture.end();
        this.#renew();
      },
    });
  }

  /** Keeps the outbox from sending an entry during editing. @returns {Promise<boolean>} whether it still exists */
  #hold(key) {
    return queue.update(key, { notBefore: Date.now() + longest });
  }

  /** Called when another user signs in: keeps the draft for its author, and begins anew. */
  #changeHands() {
    this.#park();
    // The outbox removes the entries of other users.
    this.#waiting = null;
    this.#begin(new Draft(), null);
    this.#enable(true);
    this.#open();
  }

  /** Cleans up when the user leaves the page. Keeps unsaved work and offers to continue it. */
  #end() {
    if (this.#waiting) queue.update(this.#waiting, { notBefore: 0 }).then(() => outbox.flush());
    const [id, waiting, own] = [this.#id, this.#waiting, this.#park()];
    if (!own) return;
    notify('Draft kept.', {
      action: 'Continue editing', run: () => keptAt(own.place) === own && router.go(to.editor(id, waiting)),
    });
  }

  /** Keeps the draft if it has unsaved work. */
  #park() {
    this.#preview.end();
    const [draft, place] = [this.#draft, this.#place];
    if (this.#isOver || !draft.picture || !draft.hasWork) {
      draft.picture?.end();
      return null;
    }
    // An author has one draft at each place.
    const before = [...kept].find((each) => each.place === place && each.draft.person === draft.person);
    before?.draft.picture.end();
    kept.delete(before);
    const own = { place, draft, saving: this.#saving };
    kept.add(own);
    return own;
  }

  #begin(draft, meme, saving = new Saving(draft, this.#preview, meme)) {
    [this.#draft, this.#saving, this.#opening] = [draft, saving, 0];
    draft.addEventListener('change', () => this.#changed(), { signal: this.lifetime });
    this.#stage.show(draft);
    this.#panels.follow(draft, null);
    this.#changed();
  }

  /** Starts a new draft with the defaults from the user's settings. */
  async #start() {
    const draft = new Draft();
    const [isSignedIn, before] = [store.get('person') !== null, store.get('settings')];
    // The settings of this device apply at once: without an answer, a meme for friends must not become public.
    if (isSignedIn) draft.applyDefaults(before);
    this.#begin(draft, null);
    if (!isSignedIn) return;
    await preferences.fetch().catch(() => {});
    const settings = store.get('settings');
    if (this.#draft !== draft || JSON.stringify(settings) === JSON.stringify(before)) return;
    draft.applyDefaults(settings);
    this.#panels.follow(draft, this.#stage.selected);
    draft.changed();
  }

  /** Edits an entry of the outbox. */
  async #takeBack(key) {
    const entry = await outbox.entry(key);
    if (!entry || !await this.#hold(key)) return router.go(to.editor(), { replacing: true });
    await listFaces().catch(() => {});
    const draft = Draft.of(memeOf(entry.fields));
    draft.person = entry.person ?? owner();
    const { template } = entry.fields;
    try {
      draft.picture = entry.picture ? await Picture.of(entry.picture) : Picture.ofTemplate(await api.get(`/templates/${template}`));
      this.#follow(draft.picture);
    } catch (error) {
      // The texts are loaded; the user can choose another picture.
      tellProblem(error);
    }
    draft.touch();
    return this.#begin(draft, null);
  }

  async #load(id) {
    this.#main.setAttribute('aria-busy', 'true');
    try {
      const meme = await api.get(`/memes/${encodeURIComponent(id)}`, { token: deleteTokens.of(id) });
      if (!mayEdit(meme)) throw new Problem('forbidden', { status: 403 });
      await listFaces().catch(() => {});
      await this.#takeUp(meme);
    } catch (error) {
      this.#room.replaceChildren(problemNote(error, () => {
        this.#room.replaceChildren(this.#empty, this.#stage, this.#state);
        this.#load(id);
      }));
    }
    this.#main.removeAttribute('aria-busy');
  }

  async #takeUp(meme) {
    const picture = await Picture.ofMeme(meme, deleteTokens.of(meme.id), this.lifetime);
    const draft = Draft.of(meme);
    this.#draft.picture?.end();
    this.#follow(picture);
    draft.picture = picture;
    draft.touch();
    this.#begin(draft, meme);
  }

  #follow(picture) {
    picture.addEventListener('change', () => {
      if (this.#draft.picture === picture) this.#changed();
    }, { signal: this.lifetime });
  }

  /** Replaces the picture. Keeps the texts; removes the crop, which belonged to the previous picture. */
  async #take(file) {
    // A file dialog can be open when Save begins.
    if (this.#isFinishing) return;
    const [taken, draft] = [++this.#taken, this.#draft];
    this.#opening = taken;
    this.#update();
    try {
      const picture = await Picture.of(file);
      if (taken !== this.#taken || draft !== this.#draft || !this.isConnected) return picture.end();
      this.#use(picture);
    } catch (error) {
      if (taken !== this.#taken || !this.isConnected) return;
      this.#opening = 0;
      this.#update();
      tellProblem(error);
    }
  }

  #use(picture) {
    this.#taken++;
    this.#opening = 0;
    if (this.#panels.open === 'crop') this.#panels.show(null);
    this.#draft.picture?.end();
    this.#follow(picture);
    this.#draft.picture = picture;
    this.#draft.crop = null;
    this.#draft.changed();
  }

  async #choose() {
    const file = await chooseFile();
    if (file) this.#take(file);
  }

  async #photograph() {
    const photo = this.#camera.kind === 'phone' ? await chooseFile({ isCamera: true }) : await takePhoto();
    if (photo) this.#take(photo);
  }

  async #template() {
    const template = await chooseTemplate();
    if (!template) return;
    this.#draft.fill(template);
    this.#use(Picture.ofTemplate(template));
    if (!this.#draft.altText) this.#draft.altText = '';
  }

  #addText() {
    this.#panels.show(null);
    const caption = this.#draft.add();
    this.#stage.select(caption);
    this.#stage.update();
    this.#stage.field(caption).edit();
  }

  /** Disables all controls but Cancel while the user edits a text, and during saving. */
  #enable(isEnabled) {
    for (const part of [this.#actions, this.#tools, this.#panels]) part.disabled = !isEnabled;
    this.#share.title = isEnabled ? '' : 'Finish the text first';
    if (isEnabled) this.#previewed();
  }

  /** Says why the meme cannot be saved yet, and opens the first empty text. */
  #tellMissing() {
    if (this.#opening) return notify('The picture is still being opened.');
    notify(this.#draft.picture ? 'Fill in each text first.' : 'Choose a picture first.');
    const caption = this.#draft.picture && this.#draft.missing;
    if (caption) this.#stage.field(caption).edit();
  }

  async #changed() {
    this.#update();
    this.#stage.soon();
    this.#preview.follow(this.#draft);
    if (await prepareFaces(this.#draft)) this.#stage.soon();
  }

  #previewed() {
    this.#stage.overlay(this.#preview.url);
    this.#update();
  }

  #update() {
    const { picture } = this.#draft;
    this.#empty.hidden = picture !== null || this.#main.getAttribute('aria-busy') === 'true';
    this.#stage.hidden = picture === null;
    this.#share.setAttribute('aria-disabled', String(!this.#isReady));
    this.#save.setAttribute('aria-disabled', String(!this.#isReady));
    this.#save.disabled = !this.#draft.hasWork && !this.#opening;
    updateTools(this.#tools, { hasPicture: picture !== null, panel: this.#panels.open, camera: this.#camera });
    const words = this.#words(picture);
    // Screen readers would read the same words again.
    if (this.#state.textContent !== words) this.#state.textContent = words;
  }

  /** Whether the draft can be saved. A picture that is being opened would replace the one that is saved. */
  get #isReady() {
    return this.#draft.isReady && this.#opening === 0;
  }

  #words(picture) {
    if (this.#opening) return 'Opening the picture …';
    if (this.#isSaving && picture?.source) return 'Saving …';
    if (this.#preview.problem) return this.#preview.problem.sentence;
    if (picture?.problem) return `Upload paused: ${picture.problem.sentence}`;
    if (picture && picture.progress < 1 && !picture.source) return `Uploading picture: ${Math.round(picture.progress * 100)} %`;
    return picture?.isShrunk ? 'Picture resized to fit this server’s limit.' : '';
  }

  /** Leaves the editor without saving. Asks first if there are changes. */
  async #leave() {
    this.#panels.show(null);
    const isSure = !this.#draft.hasWork
      || await ask({ title: this.#id ? 'Discard your changes?' : 'Discard this meme?', text: 'Your changes will be lost.', action: 'Discard' });
    if (!isSure) return;
    this.#isOver = true;
    router.back(this.#id ? to.meme(this.#id) : to.table());
  }

  /** Saves the draft with all controls disabled. */
  async #busy(finishing) {
    this.#isSaving = true;
    this.#enable(false);
    // A text that the user writes during the request would not be saved.
    this.#stage.inert = true;
    try {
      return await finishing.save({ signal: this.lifetime, onProgress: () => this.#update() });
    } finally {
      this.#isSaving = this.#stage.inert = false;
      this.#enable(true);
      this.#save.focus();
    }
  }

  /** Saves the draft, with or without sharing it. */
  async #finish(isShared) {
    this.#panels.show(null);
    if (!this.#isReady) return this.#tellMissing();
    const finishing = new Finishing(this.#draft, this.#saving);
    const draft = this.#draft;
    this.#isFinishing = true;
    const outcome = await (isShared ? finishing.share() : this.#busy(finishing)).finally(() => { this.#isFinishing = false; });
    // Another user has signed in since.
    if (this.#draft !== draft) return this.#update();
    if (outcome?.theirs) await this.#takeUp(outcome.theirs);
    if (!outcome?.meme && !outcome?.waits) return this.#update();
    this.#isOver = true;
    if (this.#waiting) await outbox.discard(this.#waiting);
    this.#waiting = null;
    if (outcome.waits) this.#tellWaiting(outcome.waits);
    if (this.#id === null) return router.finish('sent-page', to.table());
    if (!isShared) notify('Meme saved.');
    return router.back(to.meme(this.#id));
  }

  /** Says what a saved meme waits for. */
  #tellWaiting(entry) {
    const isForSignIn = entry.problem?.code === 'unauthorized';
    notify(waitsFor(entry), isForSignIn ? { action: 'Sign in', run: () => router.go(to.signIn()) } : {});
  }
}

customElements.define('editor-page', EditorPage);
