import { el } from '../app/dom.js';
import { details } from './responses.js';

/** Longer text is cut on the page, in characters. The whole body can be saved. */
const maxShown = 300_000;

/**
 * Sends a request and shows the response: status, headers and body. A stream of events is shown as it arrives.
 *
 * @param {Request} request
 * @param {HTMLElement} place
 * @param {(token: string) => void} useToken called if the user picks a token of the response for further requests
 * @throws {TypeError} if the server does not respond
 * @throws {DOMException} `AbortError` if the request was stopped before the response began
 */
export async function send(request, place, useToken) {
  const begin = performance.now();
  const response = await fetch(request);
  const milliseconds = Math.round(performance.now() - begin);
  const type = response.headers.get('content-type') ?? '';
  const size = el('span', {});
  const body = el('div', { class: 'docs-body' });
  forget(place);
  place.replaceChildren(
    el('p', { class: 'docs-status' },
      el('strong', { class: response.ok ? 'is-good' : response.status < 400 ? '' : 'is-bad' }, `${response.status} ${response.statusText}`.trim()),
      ` in ${milliseconds} ms`, size),
    headerList(response), body);
  try {
    if (type.startsWith('text/event-stream')) return await follow(response, body);
    const content = await response.blob();
    size.textContent = content.size ? `, ${content.size.toLocaleString('en')} bytes` : ', without a body';
    if (content.size) body.append(...await shown(content, type, useToken));
  } catch (error) {
    if (error.name !== 'AbortError') throw error;
    body.append(el('p', { class: 'docs-type' }, 'Stopped.'));
  }
}

/** Frees the memory of the pictures and files of an earlier response. */
function forget(place) {
  for (const element of place.querySelectorAll('[src^="blob:"], [href^="blob:"]')) URL.revokeObjectURL(element.src ?? element.href);
}

function headerList(response) {
  const lines = [...response.headers].map(([name, value]) => el('div', {}, el('dt', {}, el('code', {}, name)), el('dd', {}, value)));
  return details(`${lines.length} headers`, () => el('dl', { class: 'docs-list docs-headers' }, ...lines));
}

async function shown(content, type, useToken) {
  const url = URL.createObjectURL(content);
  const name = `response.${(type.split(';')[0].split('/')[1] ?? 'bin').replace(/^.*\+/, '')}`;
  const save = el('a', { class: 'docs-link', href: url, download: name }, 'Save the body');
  if (type.startsWith('image/')) return [el('img', { class: 'docs-picture', src: url, alt: 'The picture of the response' }), save];
  if (!/^text\/|json|xml|yaml|javascript/.test(type)) return [save];
  const text = await content.text();
  const value = /[/+]json/.test(type) ? parsed(text) : undefined;
  const written = value === undefined ? text : JSON.stringify(value, null, 2);
  const isCut = written.length > maxShown;
  const tokens = [['token', 'session'], ['deleteToken', 'meme']].filter(([member]) => typeof value?.[member] === 'string');
  return [
    output(isCut ? `${written.slice(0, maxShown)}…` : written),
    isCut && el('p', { class: 'docs-type' }, 'Only the beginning is shown.'),
    ...tokens.map(([member, of]) => el('button', { type: 'button', class: 'button', onclick: () => useToken(value[member]) }, `Use the token of this ${of}`)),
    save,
  ].filter(Boolean);
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Text that scrolls in a box of its own. It takes the focus, so that keys scroll it. */
const output = (text) => el('pre', { class: 'code docs-output', tabindex: '0', role: 'region', 'aria-label': 'Response body' }, text);

async function follow(response, body) {
  const lines = output('');
  body.append(lines);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    lines.textContent = (lines.textContent + part.value).slice(-maxShown);
    lines.scrollTop = lines.scrollHeight;
  }
}
