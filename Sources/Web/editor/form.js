/** Converts the fields of a draft to and from the two formats that the API accepts. */

/**
 * The text values of a form, for a new meme.
 *
 * @param {Record<string, unknown>} fields
 * @param {{upload?: string, template?: string} | null} source
 * @returns {Record<string, string>}
 */
export function textsOf(fields, source) {
  return Object.fromEntries(Object.entries({ ...fields, ...source })
    .filter(([, value]) => value !== null && value !== undefined).map(([name, value]) => [name, written(name, value)]));
}

/** The same values as form data. */
export function formOf(fields, source) {
  const form = new FormData();
  for (const [name, text] of Object.entries(textsOf(fields, source))) form.append(name, text);
  return form;
}

/** Converts text values of a form back to the API's representation of a meme. */
export function memeOf({ captions = '[]', top = '', bottom = '', altText = '', tags = '[]', visibility = 'public', layout = 'overlay', crop, ...style }) {
  const [x, y, width, height] = crop?.split(',').map(Number) ?? [];
  const numbers = Object.fromEntries(['outlineWidth', 'size'].filter((name) => name in style).map((name) => [name, Number(style[name])]));
  return {
    captions: JSON.parse(captions), top, bottom, altText, tags: JSON.parse(tags), visibility, crop: crop ? { x, y, width, height } : null,
    style: { ...style, ...numbers, layout },
  };
}

function written(name, value) {
  if (name === 'captions' || name === 'tags') return JSON.stringify(value);
  if (name === 'crop') return [value.x, value.y, value.width, value.height].join(',');
  return String(value);
}

/** The fields that differ from `before`. An edit is a JSON merge patch (RFC 7396), which contains only the changes. */
export function changes(fields, before) {
  return Object.fromEntries(Object.entries(fields).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? null)));
}
