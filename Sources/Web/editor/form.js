/** The fields of a draft in the two ways in which the API takes them. */

/**
 * As a form, for what is new.
 *
 * @param {Record<string, unknown>} fields
 * @param {{upload?: string, template?: string}} source
 */
export function formOf(fields, source) {
  const form = new FormData();
  for (const [name, value] of Object.entries({ ...fields, ...source })) {
    if (value === null || value === undefined) continue;
    form.append(name, written(name, value));
  }
  return form;
}

function written(name, value) {
  if (name === 'captions') return JSON.stringify(value);
  if (name === 'crop') return [value.x, value.y, value.width, value.height].join(',');
  return String(value);
}

/** What of `fields` is not as it was: an edit says what changes, and nothing else (RFC 7396). */
export function changes(fields, before) {
  return Object.fromEntries(Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? null)));
}
