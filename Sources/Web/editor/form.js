/** The fields of a draft in the two ways in which the API takes them. */

/**
 * As texts of a form, for what is new.
 *
 * @param {Record<string, unknown>} fields
 * @param {{upload?: string, template?: string} | null} source
 * @returns {Record<string, string>}
 */
export function textsOf(fields, source) {
  return Object.fromEntries(Object.entries({ ...fields, ...source })
    .filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => [name, written(name, value)]));
}

/** As a form. */
export function formOf(fields, source) {
  const form = new FormData();
  for (const [name, text] of Object.entries(textsOf(fields, source))) form.append(name, text);
  return form;
}

/** What a draft is made of again: such texts, in the shape in which the API tells of memes. */
export function memeOf({ captions = '[]', top = '', bottom = '', altText = '', visibility = 'public', layout = 'overlay', crop, ...style }) {
  const [x, y, width, height] = crop?.split(',').map(Number) ?? [];
  const numbers = Object.fromEntries(['outlineWidth', 'size'].filter((name) => name in style).map((name) => [name, Number(style[name])]));
  return {
    captions: JSON.parse(captions), top, bottom, altText, visibility, crop: crop ? { x, y, width, height } : null,
    style: { ...style, ...numbers, layout },
  };
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
