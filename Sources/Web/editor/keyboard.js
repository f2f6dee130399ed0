/** The distance between a field and the on-screen keyboard, in CSS pixels. */
const gap = 12;

/**
 * Lifts an element during editing if the on-screen keyboard would cover the edited field. If the browser resizes the
 * page instead, nothing needs lifting.
 *
 * @param {HTMLElement} element
 * @param {() => HTMLElement | null} edited returns the field that has to stay visible
 * @param {AbortSignal} lifetime removes the listeners
 */
export function aboveKeyboard(element, edited, lifetime) {
  const { visualViewport } = window;
  let lifted = 0;

  function look() {
    const field = edited();
    let lift = 0;
    if (field && visualViewport) {
      const area = field.getBoundingClientRect();
      const top = area.top + lifted;
      const bottom = area.bottom + lifted;
      const end = visualViewport.offsetTop + visualViewport.height - gap;
      // If the field is taller than the visible area, show its beginning.
      lift = Math.max(0, Math.min(bottom - end, top - visualViewport.offsetTop - gap));
    }
    if (lift === lifted) return;
    lifted = lift;
    element.style.setProperty('--lift', `${-lift}px`);
  }

  for (const type of ['resize', 'scroll']) visualViewport?.addEventListener(type, look, { signal: lifetime });
  for (const type of ['focusin', 'focusout', 'input']) {
    element.addEventListener(type, () => requestAnimationFrame(look), { signal: lifetime });
  }
}
