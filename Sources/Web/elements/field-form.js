import { el } from '../app/dom.js';
import { Part } from '../app/part.js';
import { Problem } from '../app/problem.js';

/** Validates a field before the form is submitted. Returns an error text, or an empty string. */
function mistake({ validity, validationMessage, value, minLength, required, min, max }) {
  if (validity.customError) return validationMessage;
  // The value of such a field is empty.
  if (validity.badInput) return 'Enter a number.';
  if (validity.rangeUnderflow || validity.rangeOverflow) return `Enter a number from ${min} to ${max}.`;
  if (validity.valueMissing || (required && !value.trim())) return 'Required.';
  if (validity.typeMismatch) return 'Enter an email like name@example.org.';
  if (minLength > 0 && value.length < minLength) return `Use at least ${minLength} characters.`;
  return '';
}

/**
 * A form with fields and a button. Shows each error at its field and focuses the first field with an error. Shows other
 * errors above the button.
 */
export class FieldForm extends Part {
  #facts;
  #told = el('p', { class: 'field-problem form-problem', role: 'alert' });
  #button;

  /**
   * @param {object} facts
   * @param {import('./fields.js').Field[]} facts.fields
   * @param {string} facts.action the button's label
   * @param {(values: Record<string, string>) => Promise<void>} facts.send receives the fields' values, by field name
   * @param {Record<string, string>} [facts.codes] field names by problem code, for problems that do not name a field
   * @param {boolean} [facts.isDangerous]
   * @param {(Node | null)[]} [facts.more] content between the fields and the button
   */
  constructor(facts) {
    super();
    this.#facts = facts;
  }

  build() {
    const { fields, action, isDangerous, more = [] } = this.#facts;
    this.#button = el('button', { class: `button is-wide ${isDangerous ? 'is-danger' : 'is-main'}` }, action);
    this.append(el('form', { class: 'form', novalidate: true, onsubmit: (event) => this.#submit(event) },
      ...fields.map((each) => each.element), ...more, this.#told, this.#button));
  }

  async #submit(event) {
    event.preventDefault();
    const { fields, send } = this.#facts;
    // The button is not disabled because that would lose the focus. `aria-busy` prevents a second submission.
    if (this.#button.ariaBusy === 'true' || !this.#isComplete()) return;
    this.#button.ariaBusy = 'true';
    try {
      await send(Object.fromEntries(fields.map(({ name, input }) => [name, input.value])));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.#show(error);
    } finally {
      this.#button.ariaBusy = 'false';
    }
  }

  #isComplete() {
    this.#told.textContent = '';
    const wrong = this.#facts.fields.filter((each) => {
      each.tell(mistake(each.input));
      return each.input.hasAttribute('aria-invalid');
    });
    wrong[0]?.input.focus();
    return wrong.length === 0;
  }

  #show(problem) {
    const { fields, codes = {} } = this.#facts;
    const named = problem.code in codes ? [{ field: codes[problem.code], message: problem.sentence }] : problem.errors;
    const wrong = fields.filter((each) => {
      const messages = named.filter((error) => error.field === each.name).map((error) => error.message);
      each.tell(messages.join(' '));
      return messages.length > 0;
    });
    const rest = named.filter((error) => !fields.some((each) => each.name === error.field));
    if (named.length === 0) this.#told.textContent = problem.sentence;
    else this.#told.textContent = rest.map((error) => error.message).join(' ');
    (wrong[0]?.input ?? this.#button).focus();
  }
}

customElements.define('field-form', FieldForm);
