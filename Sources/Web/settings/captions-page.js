import { api, request } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { preferences } from '../app/preferences.js';
import { store } from '../app/store.js';
import { group, segments, slider } from '../elements/controls.js';
import { problemNote } from '../elements/problem-note.js';
import { sampleFile } from './sample-picture.js';
import { SectionPage } from './section-page.js';

/** The delay between the last change and the drawing of the sample, in milliseconds. */
const pause = 250;

const percent = (value) => `${Math.round(value * 100)} %`;

/** The default caption style of new memes, with a sample that the server draws. */
class CaptionsPage extends SectionPage {
  #fonts = [];
  #defaults = {};
  #sample = el('img', { class: 'sample', alt: 'A sample', width: 640, height: 360 });
  #controls = el('div', { class: 'groups' });
  #timer = 0;
  #drawing = new AbortController();
  #picture = sampleFile();

  build() {
    this.section('Captions', el('div', { class: 'card sample-card' }, this.#sample), this.#controls);
    this.#load();
  }

  connected() {
    this.watch('settings', () => this.#draw());
    this.lifetime.addEventListener('abort', () => URL.revokeObjectURL(this.#sample.src));
  }

  async #load() {
    this.main.setAttribute('aria-busy', 'true');
    try {
      ({ items: this.#fonts, defaults: this.#defaults } = await api.get('/fonts'));
      this.#show();
    } catch (error) {
      this.#controls.replaceChildren(problemNote(error, () => this.#load()));
    }
    this.main.removeAttribute('aria-busy');
  }

  #show() {
    const chosen = store.get('settings').captions;
    const standard = this.#defaults[chosen.layout ?? 'overlay'];
    const of = (name) => chosen[name] ?? standard[name];
    const set = (name) => (value) => {
      this.#set({ [name]: value });
      // The layout decides the other defaults.
      if (name === 'layout') this.#show();
    };
    const choice = (name, title, ...options) => segments({ name: title, value: of(name), options, change: set(name) });
    const amount = (name, title, min, max, step) => slider({
      name: title, value: of(name), min, max, step, say: percent, change: set(name),
    });
    this.#controls.replaceChildren(
      group('Font', this.#fontChoice(of('font'))),
      group('Text', el('div', { class: 'card' },
        this.#colour('fill', 'Text color', of('fill')), this.#colour('outline', 'Outline', of('outline')),
        amount('outlineWidth', 'Outline width', 0, 0.3, 0.01), amount('size', 'Max size', 0.02, 0.5, 0.01),
        choice('case', 'Case', ['upper', 'Uppercase'], ['typed', 'As typed']))),
      group('Layout', el('div', { class: 'card' },
        choice('layout', 'Position', ['overlay', 'On the picture'], ['bar', 'In white bars']),
        choice('align', 'Align', ['left', 'Left'], ['center', 'Center'], ['right', 'Right']))),
      el('button', { type: 'button', class: 'button is-wide', onclick: () => this.#reset() }, 'Reset to defaults'));
  }

  #fontChoice(value) {
    return el('fieldset', { class: 'card fonts' }, el('legend', { class: 'only-read' }, 'Font'),
      ...this.#fonts.map(({ id, family, sample }) => el('label', { class: 'font' },
        el('input', { type: 'radio', name: 'font', value: id, checked: id === value, onchange: () => this.#set({ font: id }) }),
        el('span', { class: 'font-name' }, family),
        el('img', { src: sample.url, alt: '', loading: 'lazy' }), icon('check'))));
  }

  #colour(name, label, value) {
    const input = el('input', { type: 'color', class: 'colour', value, id: `colour-${name}`, onchange: () => this.#set({ [name]: input.value }) });
    return el('div', { class: 'menu-row control' }, el('label', { class: 'menu-words', for: input.id }, label), input);
  }

  #set(captions) {
    preferences.change({ captions }).catch((error) => {
      tellProblem(error);
      this.#show();
    });
  }

  #reset() {
    this.#set(Object.fromEntries(Object.keys(store.get('settings').captions).map((name) => [name, null])));
    this.#show();
    this.heading.focus();
  }

  #draw() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#drawNow(), this.#sample.src ? pause : 0);
  }

  async #drawNow() {
    this.#drawing.abort();
    this.#drawing = new AbortController();
    const form = new FormData();
    form.append('image', await this.#picture);
    form.append('top', 'One does not simply');
    form.append('bottom', 'choose a font');
    for (const [name, value] of Object.entries(store.get('settings').captions)) {
      if (value !== null) form.append(name, String(value));
    }
    try {
      const response = await request('POST', '/memes/preview', { body: form, signal: this.#drawing.signal });
      const url = URL.createObjectURL(await response.blob());
      URL.revokeObjectURL(this.#sample.src);
      this.#sample.src = url;
    } catch (error) {
      // The settings are saved; only the sample is missing.
      if (error.name !== 'AbortError') this.#sample.removeAttribute('src');
    }
  }
}

customElements.define('captions-page', CaptionsPage);
