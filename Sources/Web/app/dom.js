/** The URL of the folder with this version's files: `…/web/<version>/`. */
export const root = new URL('../', import.meta.url);

/** The path under which the server is reached, without a trailing slash. All addresses of the app start with it. */
export const base = root.pathname.replace(/\/web\/[^/]+\/$/, '');

/**
 * Creates an element. String children become text nodes, never markup.
 *
 * Attributes named `on…` add event listeners. `false`, `null` and `undefined` omit an attribute; `true` sets it to an
 * empty string.
 *
 * @param {string} tag
 * @param {Record<string, unknown>} [attributes]
 * @param {...(Node | string | null | undefined | false)} children
 */
export function el(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
  element.append(...children.filter(Boolean));
  return element;
}

/** An icon from `icons/icons.svg`, hidden from screen readers. */
export function icon(name) {
  const space = 'http://www.w3.org/2000/svg';
  const picture = document.createElementNS(space, 'svg');
  picture.setAttribute('class', 'icon');
  picture.setAttribute('aria-hidden', 'true');
  const use = document.createElementNS(space, 'use');
  use.setAttribute('href', `${root.pathname}icons/icons.svg#${name}`);
  picture.append(use);
  return picture;
}

/** Loads stylesheets, each only once. Page modules await their own stylesheets. */
export const style = (...paths) => Promise.all(paths.map(load));

function load(path) {
  const href = new URL(path, root).href;
  const known = [...document.head.querySelectorAll('link[rel=stylesheet]')].find((link) => link.href === href);
  if (known) return Promise.resolve();
  const link = el('link', { rel: 'stylesheet', href });
  return new Promise((resolve, reject) => {
    link.addEventListener('load', resolve);
    link.addEventListener('error', () => {
      link.remove();
      reject(new Error(`${path} couldn’t be loaded`));
    });
    document.head.append(link);
  });
}
