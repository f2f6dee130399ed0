/** The API contract: an OpenAPI 3.1 document, and its calls. */

const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/**
 * A call of the API.
 *
 * @typedef {object} Operation
 * @property {string} id the `operationId`
 * @property {string} method in capitals
 * @property {string} path with parameters in braces
 * @property {string} tag the section that lists it
 * @property {string} summary
 * @property {string} description
 * @property {object[]} parameters without `$ref`s, those of the path included
 * @property {object | null} body the `requestBody`
 * @property {[string, object][]} responses status and response, without `$ref`s
 * @property {'none' | 'optional' | 'required'} token
 * @property {string} words what the filter searches, in lowercase
 */

export class Contract {
  /** @param {object} document a parsed OpenAPI 3.1 document */
  constructor(document) {
    this.document = document;
    /** @type {Operation[]} */
    this.operations = Object.entries(document.paths ?? {}).flatMap(([path, item]) => {
      const shared = this.resolved(item);
      return methods.filter((method) => shared[method]).map((method) => this.#operation(path, method, shared));
    });
    this.byID = new Map(this.operations.map((operation) => [operation.id, operation]));
    this.byAddress = new Map(this.operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  }

  /** The sections of the list: the contract's tags, and a last one for calls without a known tag. */
  get sections() {
    const known = (this.document.tags ?? []).map(({ name, description = '' }) => ({ name, description }));
    const other = this.operations.filter(({ tag }) => !known.some(({ name }) => name === tag));
    const sections = known.map((tag) => ({ ...tag, operations: this.operations.filter((each) => each.tag === tag.name) }));
    return [...sections, { name: 'other', description: '', operations: other }].filter(({ operations }) => operations.length);
  }

  /** Follows `$ref`s, and keeps the members next to them, such as a description of its own. */
  resolved(node) {
    const seen = new Set();
    while (node?.$ref && !seen.has(node.$ref)) {
      seen.add(node.$ref);
      const { $ref, ...beside } = node;
      node = { ...this.#at($ref), ...beside };
    }
    return node ?? {};
  }

  /**
   * A schema without `$ref`, `allOf`, `oneOf` and `anyOf` at its top: the parts of `allOf` are merged. Of alternatives
   * that differ only by `null`, the other one remains. Further alternatives are in `alternatives`.
   *
   * @returns {object} with `types`, `nullable` and `alternatives`
   */
  schema(node) {
    let schema = this.resolved(node);
    const { allOf = [], oneOf, anyOf, ...own } = schema;
    schema = [...allOf.map((part) => this.schema(part)), own].reduce(merged, {});
    let nullable = Boolean(schema.nullable);
    let alternatives = [];
    const options = oneOf ?? anyOf;
    // Alternatives that only require other members do not describe a value of their own.
    if (options?.some((option) => isValue(this.resolved(option)))) {
      const values = options.map((option) => this.schema(option));
      const others = values.filter(({ types }) => types.join() !== 'null');
      nullable ||= others.length < values.length || others.some((each) => each.nullable);
      if (others.length === 1) schema = { ...others[0], ...schema, types: undefined };
      else alternatives = others;
    }
    const named = [schema.type ?? []].flat();
    nullable ||= named.includes('null') && named.length > 1;
    const types = named.length > 1 ? named.filter((type) => type !== 'null') : named;
    if (!types.length && schema.enum) types.push(...new Set(schema.enum.filter((value) => value !== null).map((value) => typeof value)));
    if (!types.length && schema.properties) types.push('object');
    if (!types.length && schema.items) types.push('array');
    return { ...schema, types, nullable, alternatives };
  }

  /** The part of the document that a reference such as `#/components/schemas/Meme` names. */
  #at(reference) {
    if (!reference.startsWith('#/')) return {};
    const steps = reference.slice(2).split('/').map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
    return steps.reduce((node, step) => (node?.$ref ? this.resolved(node) : node)?.[step], this.document) ?? {};
  }

  /** @returns {Operation} */
  #operation(path, method, item) {
    const node = item[method];
    const parameters = new Map();
    for (const each of [...item.parameters ?? [], ...node.parameters ?? []]) {
      const parameter = this.resolved(each);
      // A parameter of the operation replaces the path's of the same name and place.
      parameters.set(`${parameter.in} ${parameter.name}`, parameter);
    }
    const security = node.security ?? this.document.security ?? [];
    const isOpen = security.every((way) => Object.keys(way).length === 0);
    const isOptional = security.some((way) => Object.keys(way).length === 0);
    const tags = node.tags ?? [];
    const operation = {
      id: node.operationId ?? `${method}-${path}`, method: method.toUpperCase(), path, tag: tags[0],
      summary: node.summary ?? '', description: node.description ?? '', parameters: [...parameters.values()],
      body: node.requestBody ? this.resolved(node.requestBody) : null,
      responses: Object.entries(node.responses ?? {}).map(([status, response]) => [status, this.resolved(response)]),
      token: isOpen ? 'none' : isOptional ? 'optional' : 'required',
    };
    operation.words = [operation.method, path, operation.id, operation.summary, ...tags].join(' ').toLowerCase();
    return operation;
  }
}

const isValue = (schema) => ['type', 'enum', 'const', 'properties', 'items', 'allOf', 'oneOf', 'anyOf'].some((key) => key in schema);

/** Two parts of an `allOf` as one schema. */
function merged(one, other) {
  const both = { ...one, ...other };
  if (one.properties && other.properties) {
    both.properties = { ...one.properties };
    for (const [name, value] of Object.entries(other.properties)) {
      // A part that narrows a member of another part keeps what that says of the member.
      both.properties[name] = name in one.properties ? { allOf: [one.properties[name], value] } : value;
    }
  }
  if (one.required && other.required) both.required = [...new Set([...one.required, ...other.required])];
  return both;
}
