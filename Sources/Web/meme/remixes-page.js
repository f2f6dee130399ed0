import { to } from '../app/places.js';
import { note } from '../elements/problem-note.js';
import { ShelfPage } from '../people/shelf-page.js';

/** The memes with the picture of a meme, newest first. */
class RemixesPage extends ShelfPage {
  enter({ id }) {
    this.show('Remixes', { href: to.meme(id), name: 'Meme' }, {
      path: `/memes/${encodeURIComponent(id)}/remixes`, label: 'Remixes',
      empty: () => note('meme', 'No remixes', 'You can see no memes with the picture of this one.'),
    });
  }
}

customElements.define('remixes-page', RemixesPage);
