import { address } from './api.js';
import { store } from './store.js';

/**
 * The app's addresses and their pages. The first visit to a page loads its module and its styles.
 *
 * - `load` imports the module that defines the page's element.
 * - `root` marks top-level pages, which have no back link.
 * - `people` marks pages that need an account. It is the text that asks signed-out users to sign in.
 * - `isOpen` marks pages that need no session, even if the server requires an account for everything else.
 * - `isForGuests` marks open pages that are only for signed-out users.
 *
 * @typedef {{pattern: string, element: string, load: () => Promise<unknown>, root?: true, view?: string,
 *   people?: string, isOpen?: true, isForGuests?: true}} Place
 * @type {Place[]}
 */
const places = [
  { pattern: '/', element: 'sent-page', load: () => import('../sent/sent-page.js'), root: true, view: 'table' },
  { pattern: '/app/grid', element: 'sent-page', load: () => import('../sent/sent-page.js'), root: true, view: 'grid' },
  { pattern: '/app/meme/{id}', element: 'meme-page', load: () => import('../meme/meme-page.js') },
  { pattern: '/app/tag/{tag}', element: 'tag-page', load: () => import('../people/tag-page.js') },
  { pattern: '/app/editor', element: 'editor-page', load: () => import('../editor/editor-page.js') },
  { pattern: '/app/editor/{id}', element: 'editor-page', load: () => import('../editor/editor-page.js') },
  { pattern: '/app/waiting/{key}', element: 'waiting-page', load: () => import('../offline/waiting-page.js') },
  { pattern: '/app/about', element: 'about-page', load: () => import('../offline/about-page.js'), isOpen: true },
  { pattern: '/app/admin', element: 'admin-overview', load: () => import('../admin/admin-overview.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/reports', element: 'admin-reports', load: () => import('../admin/admin-reports.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/people', element: 'admin-people', load: () => import('../admin/admin-people.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/memes', element: 'admin-memes', load: () => import('../admin/admin-memes.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/backups', element: 'admin-backups', load: () => import('../admin/admin-backups.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/invitations', element: 'admin-invitations', load: () => import('../admin/admin-invitations.js'), people: 'Sign in as an admin to see this.' },
  { pattern: '/app/admin/log', element: 'admin-log', load: () => import('../admin/admin-log.js'), people: 'Sign in as an admin to see this.' },

  { pattern: '/app/welcome', element: 'welcome-page', load: () => import('../people/welcome-page.js'), isOpen: true, isForGuests: true },
  { pattern: '/app/sign-in', element: 'sign-in-page', load: () => import('../people/sign-in-page.js'), isOpen: true, isForGuests: true },
  { pattern: '/app/signed-in', element: 'signed-in-page', load: () => import('../people/signed-in-page.js'), isOpen: true },
  { pattern: '/app/register', element: 'register-page', load: () => import('../people/register-page.js'), isOpen: true, isForGuests: true },
  { pattern: '/app/join', element: 'register-page', load: () => import('../people/register-page.js'), isOpen: true, isForGuests: true },
  { pattern: '/app/forgot', element: 'forgot-page', load: () => import('../people/forgot-page.js'), isOpen: true },
  {
    pattern: '/app/confirm-email', element: 'confirm-email-page', load: () => import('../people/confirm-email-page.js'), isOpen: true,
  },
  { pattern: '/reset-password', element: 'reset-page', load: () => import('../people/reset-page.js'), isOpen: true },
  { pattern: '/app/you', element: 'you-page', load: () => import('../people/you-page.js') },
  { pattern: '/app/people', element: 'people-page', load: () => import('../people/people-page.js') },
  { pattern: '/app/user/{username}', element: 'user-page', load: () => import('../people/user-page.js') },
  { pattern: '/app/user/{username}/{list}', element: 'person-list-page', load: () => import('../people/person-list-page.js') },
  { pattern: '/app/meme/{id}/remixes', element: 'remixes-page', load: () => import('../meme/remixes-page.js') },
  { pattern: '/app/meme/{id}/{list}', element: 'person-list-page', load: () => import('../people/person-list-page.js') },
  {
    pattern: '/app/friends', element: 'person-list-page', load: () => import('../people/person-list-page.js'), view: 'friends',
    people: 'Sign in to see your friends.',
  },
  {
    pattern: '/app/feed', element: 'feed-page', load: () => import('../people/feed-page.js'),
    people: 'Sign in to see your feed.',
  },
  {
    pattern: '/app/favorites', element: 'favorites-page', load: () => import('../people/favorites-page.js'),
    people: 'Sign in to see your favorites.',
  },
  {
    pattern: '/app/notifications', element: 'notifications-page', load: () => import('../people/notifications-page.js'),
    people: 'Sign in to see your notifications.',
  },
  { pattern: '/app/settings', element: 'settings-page', load: () => import('../settings/settings-page.js'), isOpen: true },
  { pattern: '/app/settings/captions', element: 'captions-page', load: () => import('../settings/captions-page.js') },
  ...[
    'profile', 'username', 'email', 'password', 'notices', 'devices', 'invitations', 'security', 'tokens', 'connections', 'export', 'delete',
  ].map((section) => ({
    pattern: `/app/settings/${section}`, element: `${section}-page`, load: () => import(`../settings/${section}-page.js`),
    people: 'Sign in to change your account.',
  })),
  {
    pattern: '/app/settings/connections/{id}', element: 'connection-page', load: () => import('../settings/connection-page.js'),
    people: 'Sign in to change your account.',
  },
  {
    pattern: '/app/settings/connections/{id}/deliveries', element: 'deliveries-page', load: () => import('../settings/deliveries-page.js'),
    people: 'Sign in to change your account.',
  },
  {
    pattern: '/app/settings/blocks', element: 'person-list-page', load: () => import('../people/person-list-page.js'), view: 'blocks',
    people: 'Sign in to see blocked people.',
  },
];

const missing = { pattern: '', element: 'missing-page', load: () => import('../elements/missing-page.js') };

/** Builds the addresses of pages. */
export const to = {
  table: () => address('/'),
  grid: () => address('/app/grid'),
  meme: (id) => address(`/app/meme/${encodeURIComponent(id)}`),
  tag: (tag) => address(`/app/tag/${encodeURIComponent(tag)}`),
  /** The page of an unsent upload. */
  waiting: (key) => address(`/app/waiting/${encodeURIComponent(key)}`),
  about: () => address('/app/about'),
  /** @param {'reports' | 'memes' | 'invitations' | 'backups' | 'log'} [part] */
  admin: (part) => address(part ? `/app/admin/${part}` : '/app/admin'),
  /** @param {string} [id] the meme to edit @param {string} [waiting] the key of an unsent upload to edit */
  editor: (id, waiting) => address(id ? `/app/editor/${encodeURIComponent(id)}` : '/app/editor', { waiting }),
  welcome: () => address('/app/welcome'),
  signIn: () => address('/app/sign-in'),
  /** The beginning of a single sign-on, which is no page of the app. @param {string} [page] the page to open afterwards */
  signOn: (page, invitation) => address('/oidc/start', { return: page, invitation }),
  register: () => address('/app/register'),
  forgot: () => address('/app/forgot'),
  you: () => address('/app/you'),
  people: (q) => address('/app/people', { q: q || null }),
  user: (username, list) => address(`/app/user/${encodeURIComponent(username)}${list ? `/${list}` : ''}`),
  likes: (id) => address(`/app/meme/${encodeURIComponent(id)}/likes`),
  remixes: (id) => address(`/app/meme/${encodeURIComponent(id)}/remixes`),
  friends: () => address('/app/friends'),
  feed: () => address('/app/feed'),
  favorites: () => address('/app/favorites'),
  notifications: () => address('/app/notifications'),
  settings: (section) => address(section ? `/app/settings/${section}` : '/app/settings'),
  connection: (id) => address(`/app/settings/connections/${encodeURIComponent(id)}`),
  deliveries: (connection) => address(`/app/settings/connections/${encodeURIComponent(connection)}/deliveries`),
};

/** Whether signed-out users may see the server's content. */
export const isForAnybody = document.documentElement.dataset.anonymous !== 'false';

/** Who can create an account: `open`, `invite` (only with an invitation) or `closed` (only through the operator). */
export const { registration } = document.documentElement.dataset;

/** Whether the server confirms emails. */
export const confirmsEmails = document.documentElement.dataset.confirms === 'true';

/** How users know the provider of single sign-ons; empty if there is none. */
export const { signon: signOnName } = document.documentElement.dataset;

/** Whether members can invite others. */
export const membersInvite = document.documentElement.dataset.invites === 'true';

/** Who can have connections: `members`, `admins` or `off`. Without a value all users see the page, which says whether they can. */
const { connections = 'members' } = document.documentElement.dataset;
export const mayConnect = (person) => connections === 'members' || (connections === 'admins' && person?.role === 'admin');

/** @returns {Record<string, string> | null} */
function match(pattern, path) {
  const [wanted, given] = [pattern.split('/'), path.split('/')];
  if (wanted.length !== given.length) return null;
  const parameters = {};
  for (const [index, part] of wanted.entries()) {
    if (!part.startsWith('{')) {
      if (part !== given[index]) return null;
      continue;
    }
    try {
      parameters[part.slice(1, -1)] = decodeURIComponent(given[index]);
    } catch {
      // The address has a `%` that does not begin an encoded byte.
      return null;
    }
  }
  return parameters;
}

/**
 * The place at an address of this server, or `null` if the address is not the app's, such as a meme's public page.
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

/**
 * The place that the current user sees at an address. Signed-out users see the sign-in page instead of a page that
 * needs an account. Their address does not change, so the page appears after they sign in. Signed-in users see "You"
 * instead of a guest page.
 *
 * @param {URL} url
 */
export function shownAt(url) {
  const found = placeAt(url) ?? placeAt(new URL(address('/'), url));
  const { place } = found;
  if (store.get('person')) return place.isForGuests ? placeAt(new URL(to.you(), url)) : found;
  if (place.isOpen) return found;
  if (!isForAnybody) return placeAt(new URL(to.welcome(), url));
  if (!place.people) return found;
  const gate = placeAt(new URL(to.signIn(), url));
  return { ...gate, parameters: { why: place.people } };
}
