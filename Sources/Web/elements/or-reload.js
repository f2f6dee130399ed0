import { notify } from './notice-bar.js';

/**
 * A part of the app that is loaded when it is needed. Without it, for example because the server has another version of
 * the app, a notice offers to reload the page.
 *
 * @template T
 * @param {Promise<T>} loading an `import()`
 * @returns {Promise<Partial<T>>} empty if the part is missing
 */
export const orReload = (loading) => loading.catch(() => {
  notify('A part of the app couldn’t be loaded.', { action: 'Reload', run: () => location.reload() });
  return {};
});
