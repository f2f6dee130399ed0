import { el } from '../app/dom.js';
import { inline } from './markdown.js';

let made = 0;

/**
 * The input of one value.
 *
 * @typedef {object} Input
 * @property {string} name
 * @property {HTMLElement} element
 * @property {() => unknown} value `undefined` if the value is not to be sent
 * @property {() => string} problem why the value cannot be sent, or an empty string
 * @property {() => void} show shows the problem at the input and moves the focus there
 */

/**
 * An input that suits a schema.
 *
 * @param {import('./contract.js').Contract} contract
 * @param {object} facts
 * @param {string} facts.name
 * @param {object} facts.schema as the contract has it
 * @param {boolean} [facts.isRequired]
 * @param {boolean} [facts.isNeeded] whether nothing can be sent without the value
 * @param {string} [facts.description] instead of the schema's
 * @param {string} [facts.accept] the media types of a file
 * @param {boolean} [facts.isJSON] whether the value becomes a part of a JSON body; otherwise it becomes text
 * @returns {Input}
 */
export function input(contract, { name, schema: node, isRequired = false, isNeeded = false, description, accept, isJSON = false }) {
  const schema = contract.schema(node);
  if (isJSON && schema.types.join() === 'object' && schema.properties) return group(contract, name, schema, isRequired);
  const id = `input-${++made}`;
  const attributes = { id, name, 'aria-describedby': `${id}-hint ${id}-told`, 'aria-required': isRequired ? 'true' : null };
  const control = controlOf(schema, name, attributes, { accept, isJSON });
  const isFile = control.type === 'file';
  const withoutValue = isJSON && schema.nullable && control.tagName !== 'SELECT'
    ? el('input', { type: 'checkbox', id: `${id}-null` }) : null;
  withoutValue?.addEventListener('change', () => { control.disabled = withoutValue.checked; });
  const told = el('p', { class: 'field-problem', id: `${id}-told` });
  const tell = (message) => {
    told.textContent = message;
    if (message) control.setAttribute('aria-invalid', 'true');
    else control.removeAttribute('aria-invalid');
  };
  control.addEventListener('input', () => tell(''));
  const value = () => {
    if (withoutValue?.checked) return null;
    if (isFile) return control.files[0];
    if (control.value === '') return undefined;
    return isJSON ? asJSON(control.value, schema, control.tagName === 'SELECT') : control.value;
  };
  const problem = () => {
    if (isNeeded && value() === undefined) return isFile ? 'Choose a file.' : 'Enter a value.';
    return '';
  };
  const text = description ?? schema.description ?? '';
  return {
    name, value, problem,
    show() {
      tell(problem());
      control.focus();
    },
    element: el('div', { class: 'docs-field' },
      el('div', { class: 'form-field' },
        el('label', { for: id }, el('code', {}, name), ' ', el('span', { class: 'docs-type' }, typeOf(schema), isRequired && ', required')),
        control,
        withoutValue && el('label', { class: 'docs-null' }, withoutValue, ' Send null'),
        told),
      el('div', { class: 'field-hint', id: `${id}-hint` },
        ...text.split('\n\n').filter(Boolean).map((part) => el('p', {}, ...inline(part.replaceAll('\n', ' '), contract))))),
  };
}

/** An object of a JSON body: the inputs of its members. */
function group(contract, name, schema, isRequired) {
  const inputs = Object.entries(schema.properties).map(([member, node]) => input(contract, {
    name: member, schema: node, isRequired: schema.required?.includes(member), isJSON: true,
  }));
  const failed = () => inputs.find((each) => each.problem());
  return {
    name,
    value() {
      const members = inputs.map((each) => [each.name, each.value()]).filter(([, value]) => value !== undefined);
      return members.length ? Object.fromEntries(members) : undefined;
    },
    problem: () => failed()?.problem() ?? '',
    show: () => failed()?.show(),
    element: el('fieldset', { class: 'docs-group' },
      el('legend', {}, el('code', {}, name), ' ', el('span', { class: 'docs-type' }, 'object', isRequired && ', required')),
      schema.description && el('p', { class: 'field-hint' }, ...inline(schema.description, contract)),
      ...inputs.map((each) => each.element)),
  };
}

function controlOf(schema, name, attributes, { accept, isJSON }) {
  const common = { class: 'field', dir: 'auto', ...attributes };
  if (isBinary(schema)) return el('input', { ...common, type: 'file', accept: accept ?? null });
  const choices = choicesOf(schema, isJSON);
  if (choices) {
    const unset = schema.default === undefined ? 'Not sent' : `Not sent (${schema.default})`;
    return el('select', common, el('option', { value: '' }, unset), ...choices.map((choice) => el('option', { value: String(choice) }, String(choice))));
  }
  const example = schema.examples?.[0] ?? schema.example;
  const placeholder = schema.default !== undefined && schema.default !== ''
    ? `Default: ${JSON.stringify(schema.default)}` : example === undefined ? '' : `Example: ${example}`;
  const text = { ...common, placeholder: placeholder || null, autocomplete: 'off', autocapitalize: 'none', spellcheck: 'false' };
  const isStructured = schema.types.some((type) => type === 'object' || type === 'array');
  if (isStructured || schema.maxLength > 300) return el('textarea', { ...text, rows: '2' });
  const isSecret = isJSON && /^(password|current|new)$/.test(name);
  const isNumber = schema.types.some((type) => type === 'integer' || type === 'number');
  // Not of the type number, so that the server's answer to a wrong value can be seen too.
  return el('input', { ...text, type: isSecret ? 'password' : 'text', inputmode: isNumber ? 'decimal' : null, autocomplete: isSecret ? 'new-password' : 'off' });
}

/** The values to choose from, or nothing if any value can be typed. */
function choicesOf(schema, isJSON) {
  const values = schema.enum ?? ('const' in schema ? [schema.const] : schema.types.join() === 'boolean' ? [true, false] : null);
  if (!values) return null;
  const others = values.filter((value) => value !== null);
  return schema.nullable && isJSON ? [...others, null] : others;
}

export const isBinary = (schema) =>
  schema.format === 'binary' || (schema.contentMediaType !== undefined && !/json|text/.test(schema.contentMediaType));

/** Typed text as a JSON value. What does not suit the schema is sent as text, so that the server's answer can be seen. */
function asJSON(text, schema, isChoice) {
  if (isChoice && text === 'null' && schema.nullable) return null;
  if (schema.types.length && schema.types.every((type) => type === 'string') && !schema.alternatives.length) return text;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** "integer, 1 to 100", or "string or null". */
export function typeOf(schema) {
  const names = schema.alternatives.length ? schema.alternatives.map(typeOf) : schema.types.length ? [...schema.types] : ['any'];
  if (isBinary(schema)) names.splice(0, names.length, 'file');
  if (schema.nullable) names.push('null');
  const { minimum, maximum, minLength, maxLength, minItems, maxItems, format } = schema;
  const limits = [
    format && format !== 'binary' ? format : '', range(minimum, maximum, ''),
    // Lengths of text are far above what is typed here, unless they are short.
    maxLength <= 1024 ? range(minLength, maxLength, ' characters') : '', range(minItems, maxItems, ' items'),
  ].filter(Boolean);
  return [[...new Set(names)].join(' or '), ...limits].join(', ');
}

function range(least, most, unit) {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (most !== undefined) return `at most ${most}${unit}`;
  return least === undefined ? '' : `at least ${least}${unit}`;
}
