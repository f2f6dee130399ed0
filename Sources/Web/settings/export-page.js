import { request } from '../app/api.js';
import { el, icon } from '../app/dom.js';
import { tellProblem } from '../app/memes.js';
import { notify } from '../elements/notice-bar.js';
import { save } from './save-file.js';
import { SectionPage } from './section-page.js';

const sizes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const megabytes = (bytes) => `${sizes.format(bytes / 1e6)} MB`;

/** Downloads all data of the user in one archive. */
class ExportPage extends SectionPage {
  #button = el('button', { type: 'button', class: 'button is-main is-wide', onclick: () => this.#export() }, icon('download'), 'Download');
  #progress = el('progress', { 'aria-label': 'Export', hidden: true });
  #told = el('p', { class: 'is-quiet', role: 'status' });
  /** @type {AbortController | null} */
  #running = null;

  build() {
    this.section('Export',
      el('div', { class: 'card text-card' },
        el('p', {}, 'A ZIP archive of all your data on this server: memes with their originals, templates, profile picture, '
          + 'comments, likes, favorites, follows, settings and devices.'),
        el('p', { class: 'is-quiet' }, 'Deleted memes are not included.'),
        this.#button, this.#progress, this.#told));
  }

  connected() {
    // The download stops when the page is removed, but continues while another page covers it.
    this.lifetime.addEventListener('abort', () => this.#running?.abort());
  }

  async #export() {
    if (this.#running) return;
    this.#running = new AbortController();
    this.#button.ariaBusy = 'true';
    this.#progress.hidden = false;
    this.#progress.removeAttribute('value');
    this.#told.textContent = 'Creating the archive…';
    try {
      const response = await request('POST', '/users/me/export', { signal: this.#running.signal });
      save(await this.#received(response), nameOf(response));
      this.#told.textContent = '';
      notify('Your export is ready.');
    } catch (error) {
      this.#told.textContent = '';
      if (error.name === 'TypeError') notify('Connection lost. Try again.');
      else if (error.name !== 'AbortError') tellProblem(error);
    }
    this.#running = null;
    this.#button.ariaBusy = 'false';
    this.#progress.hidden = true;
  }

  /** Reads the archive and shows the progress. The browser keeps large blobs on disk. */
  async #received(response) {
    const all = Number(response.headers.get('content-length'));
    let bytes = 0;
    const counted = response.body.pipeThrough(new TransformStream({
      transform: (piece, controller) => {
        bytes += piece.byteLength;
        if (all > 0) [this.#progress.max, this.#progress.value] = [all, bytes];
        this.#told.textContent = all > 0 ? `${megabytes(bytes)} of ${megabytes(all)}` : megabytes(bytes);
        controller.enqueue(piece);
      },
    }));
    return new Response(counted, { headers: { 'Content-Type': 'application/zip' } }).blob();
  }
}

const nameOf = (response) => /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? 'mememe.zip';

customElements.define('export-page', ExportPage);
