import { el } from '../app/dom.js';
import { input } from './inputs.js';

let made = 0;

/**
 * The form of a request body: a choice of the media type, and the inputs of the chosen one.
 *
 * @typedef {object} Body
 * @property {() => [string, string | File][] | null} form
 * @property {() => string | File | null} content
 * @property {() => string | null} type the `Content-Type` to send; `null` if the browser sets it, or without a body
 * @property {() => ({show: () => void} | undefined)} failed what keeps the body from being sent
 *
 * @param {import('./contract.js').Contract} contract
 * @param {object} requestBody
 * @returns {Body & {element: HTMLElement}}
 */
export function bodyForm(contract, requestBody) {
  const kinds = Object.entries(requestBody.content ?? {}).map(([type, media]) => kindOf(contract, type, media, requestBody.required));
  let chosen = kinds[0];
  const place = el('div', {}, chosen.element);
  const id = `body-type-${++made}`;
  const choose = (event) => {
    chosen = kinds[event.target.selectedIndex];
    place.replaceChildren(chosen.element);
  };
  const label = kinds.length === 1
    ? el('p', { class: 'docs-type' }, 'As ', el('code', {}, chosen.name))
    : el('div', { class: 'form-field docs-choice' },
      el('label', { for: id }, 'Content-Type'),
      el('select', { class: 'field', id, onchange: choose }, ...kinds.map(({ name }) => el('option', {}, name))));
  return {
    element: el('div', {}, label, place),
    form: () => chosen.form(), content: () => chosen.content(), type: () => chosen.type(), failed: () => chosen.failed(),
  };
}

function kindOf(contract, name, media, isRequired) {
  const schema = contract.schema(media.schema);
  const none = { name, form: () => null, content: () => null, type: () => null, failed: () => undefined };
  if (name === 'multipart/form-data') return { ...none, ...multipart(contract, schema, media) };
  if (/[/+]json$/.test(name)) return { ...none, ...json(contract, name, schema, media) };
  return { ...none, ...file(contract, name, isRequired) };
}

function multipart(contract, schema, media) {
  const inputs = Object.entries(schema.properties ?? {}).map(([name, node]) => input(contract, {
    name, schema: node, isRequired: schema.required?.includes(name), accept: media.encoding?.[name]?.contentType,
  }));
  return {
    element: fields(inputs),
    form: () => inputs.map((each) => [each.name, each.value()]).filter(([, value]) => value !== undefined),
  };
}

/** A JSON body: an input of each member, or the text itself, which can be anything. */
function json(contract, name, schema, media) {
  const inputs = Object.entries(schema.properties ?? {}).map(([member, node]) => input(contract, {
    name: member, schema: node, isRequired: schema.required?.includes(member), isJSON: true,
  }));
  const id = `body-text-${++made}`;
  const text = el('textarea', { class: 'field docs-json', id, rows: '8', spellcheck: 'false', autocapitalize: 'none', autocomplete: 'off' });
  const written = el('div', { class: 'form-field', hidden: inputs.length > 0 }, el('label', { for: id }, 'Body'), text);
  const shown = fields(inputs);
  const value = () => JSON.stringify(Object.fromEntries(
    inputs.map((each) => [each.name, each.value()]).filter(([, each]) => each !== undefined)), null, 2);
  const example = Object.values(media.examples ?? {}).map((each) => contract.resolved(each).value)[0];
  if (!inputs.length) text.value = JSON.stringify(example ?? {}, null, 2);
  const change = el('button', {
    type: 'button', class: 'docs-link', onclick: () => {
      written.hidden = !written.hidden;
      shown.hidden = !written.hidden;
      change.textContent = written.hidden ? 'Edit as JSON' : 'Edit as fields';
      if (!written.hidden) text.value = value();
      shown.dispatchEvent(new Event('input', { bubbles: true }));
    },
  }, 'Edit as JSON');
  return {
    element: el('div', {}, shown, written, inputs.length > 0 && change),
    content: () => (written.hidden ? value() : text.value), type: () => name,
    failed: () => (written.hidden ? inputs.find((each) => each.problem()) : undefined),
  };
}

/** Any other body is a file as it is. */
function file(contract, name, isRequired) {
  const only = input(contract, {
    name: 'body', schema: { type: 'string', format: 'binary', description: 'A file, which becomes the body as it is.' }, isRequired, isNeeded: isRequired,
  });
  const type = () => (name.includes('*') ? only.value()?.type || 'application/octet-stream' : name);
  return {
    element: fields([only]), content: () => only.value() ?? null,
    type: () => (only.value() ? type() : null), failed: () => (only.problem() ? only : undefined),
  };
}

/** A box of inputs. */
export const fields = (inputs) => el('div', { class: 'docs-fields' }, ...inputs.map(({ element }) => element));
