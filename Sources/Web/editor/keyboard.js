/** What stays between a field and the keyboard, in pixels. */
const gap = 12;

/**
 * Lifts an element while something in it is edited that the keyboard on the screen would cover. Where the browser makes the
 * page smaller instead, there is nothing to lift.
 *
 * @param {HTMLElement} element
 * @param {() => HTMLElement | null} edited what has to stay visible
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
      // Of one that is higher than what is left the beginning is seen.
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
