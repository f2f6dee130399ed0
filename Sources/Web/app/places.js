import { address } from './api.js';

/**
 * The app's addresses and the pages that are there. A page comes with the first visit, its styles with it.
 *
 * `load` imports the module that defines the page's element. `root` are pages that nothing leads back from.
 *
 * @typedef {{pattern: string, element: string, load: () => Promise<unknown>, root?: true, view?: string}} Place
 * @type {Place[]}
 */
const places = [
  { pattern: '/', element: 'sent-page', load: () => import('../sent/sent-page.js'), root: true, view: 'table' },
  { pattern: '/app/grid', element: 'sent-page', load: () => import('../sent/sent-page.js'), root: true, view: 'grid' },
  { pattern: '/app/meme/{id}', element: 'meme-page', load: () => import('../meme/meme-page.js') },
  { pattern: '/app/editor', element: 'editor-page', load: () => import('../editor/editor-page.js') },
  { pattern: '/app/editor/{id}', element: 'editor-page', load: () => import('../editor/editor-page.js') },
  { pattern: '/app/waiting/{key}', element: 'waiting-page', load: () => import('../offline/waiting-page.js') },
  { pattern: '/app/about', element: 'about-page', load: () => import('../offline/about-page.js') },
  { pattern: '/app/admin', element: 'admin-overview', load: () => import('../admin/admin-overview.js') },
  { pattern: '/app/admin/reports', element: 'admin-reports', load: () => import('../admin/admin-reports.js') },
  { pattern: '/app/admin/memes', element: 'admin-memes', load: () => import('../admin/admin-memes.js') },
  { pattern: '/app/admin/log', element: 'admin-log', load: () => import('../admin/admin-log.js') },
];

const missing = { pattern: '', element: 'missing-page', load: () => import('../elements/missing-page.js') };

/** The addresses that others lead to. */
export const to = {
  table: () => address('/'),
  grid: () => address('/app/grid'),
  meme: (id) => address(`/app/meme/${encodeURIComponent(id)}`),
  /** What is not sent yet. */
  waiting: (key) => address(`/app/waiting/${encodeURIComponent(key)}`),
  about: () => address('/app/about'),
  /** @param {'reports' | 'memes' | 'log'} [part] */
  admin: (part) => address(part ? `/app/admin/${part}` : '/app/admin'),
  /** @param {string} [id] of a meme that is edited @param {string} [waiting] the key of what is not sent yet */
  editor: (id, waiting) => address(id ? `/app/editor/${encodeURIComponent(id)}` : '/app/editor', { waiting }),
};

/** @returns {Record<string, string> | null} */
function match(pattern, path) {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parameters = {};
  for (const [index, part] of wanted.entries()) {
    if (part.startsWith('{')) parameters[part.slice(1, -1)] = decodeURIComponent(given[index]);
    else if (part !== given[index]) return null;
  }
  return parameters;
}

/**
 * The place at an address of this server; `null` where that is not the app's, such as the public page of a meme.
 *
 * @param {URL} url
 * @returns {{place: Place, parameters: Record<string, string>} | null}
 */
export function placeAt(url) {
  const base = address('');
  if (url.origin !== location.origin || !url.pathname.startsWith(`${base}/`)) return null;
  const path = url.pathname.slice(base.length).replace(/(.)\/$/, '$1');
  for (const place of places) {
    const parameters = match(place.pattern, path);
    if (parameters) return { place, parameters: { ...parameters, ...(place.view && { view: place.view }) } };
  }
  return path.startsWith('/app/') ? { place: missing, parameters: {} } : null;
}
