/**
 * A request before it is sent.
 *
 * @typedef {object} Call
 * @property {string} method
 * @property {string} url absolute
 * @property {[string, string][]} headers
 * @property {[string, string | File][] | null} form the fields of a multipart body
 * @property {string | File | null} body any other body
 */

/** The curl command that sends the same request. @param {Call} call */
export function curl({ method, url, headers, form, body }) {
  const parts = [];
  if (method === 'HEAD') parts.push('--head');
  else if (method !== (form || body !== null ? 'POST' : 'GET')) parts.push(`-X ${method}`);
  for (const [name, value] of headers) parts.push(`-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`);
  for (const [name, value] of form ?? []) {
    // curl gives a meaning to @, < and ; in the values of -F, and to nothing in those of --form-string.
    parts.push(value instanceof File ? `-F ${quoted(`${name}=@${fileName(value)}`)}` : `--form-string ${quoted(`${name}=${value}`)}`);
  }
  if (body instanceof File) parts.push(`--data-binary ${quoted(`@${body.name}`)}`);
  else if (body !== null) parts.push(`--data-raw ${quoted(body)}`);
  const words = ['curl', ...parts, quoted(url)];
  const line = words.join(' ');
  return line.length <= 72 ? line : words.join(' \\\n  ');
}

/** A word of a POSIX shell. Within single quotes only the quote itself has a meaning. */
export const quoted = (text) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);

/** A file's name in the value of -F. Within double quotes curl knows \\ and \" only. */
const fileName = ({ name }) => (/^[\w.-]+$/.test(name) ? name : `"${name.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`);

/** The request for `fetch`. @param {Call} call @param {AbortSignal} signal */
export function requestOf({ method, url, headers, form, body }, signal) {
  let content = body ?? undefined;
  if (form) {
    content = new FormData();
    for (const [name, value] of form) content.append(name, value);
  }
  return new Request(url, {
    method, headers, body: content, signal,
    // As curl would send it: without the browser's session and without its cache. `no-store` also keeps the app's
    // service worker from answering the request.
    credentials: 'omit', cache: 'no-store',
  });
}
