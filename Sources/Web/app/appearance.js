/**
 * Applies the user's appearance settings before the first paint. This script is not a module, so the browser waits for
 * it. `preferences.js` stores the settings under the same key and dispatches an `appearance` event when they change.
 */
(() => {
  const root = document.documentElement;
  const colours = { light: '#ffffff', dark: '#121214' };

  const kept = () => {
    try {
      return JSON.parse(localStorage.getItem('mememe.settings'));
    } catch {
      return null;
    }
  };

  const mark = (name, value) => {
    if (value) root.dataset[name] = value;
    else delete root.dataset[name];
  };

  const apply = (settings) => {
    const { textScale = 1, reducedMotion, highContrast } = settings?.accessibility ?? {};
    const theme = settings?.theme in colours ? settings.theme : null;
    mark('theme', theme);
    mark('motion', reducedMotion && 'reduced');
    mark('contrast', highContrast && 'more');
    root.style.setProperty('--text-scale', Number(textScale) || 1);
    for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
      const shown = theme ?? (meta.media.includes('dark') ? 'dark' : 'light');
      meta.content = shown === 'dark' && highContrast ? '#000000' : colours[shown];
    }
  };

  apply(kept());
  addEventListener('appearance', (event) => apply(event.detail));
  // The user changed the settings in another tab.
  addEventListener('storage', (event) => {
    if (event.key === 'mememe.settings') apply(kept());
  });
})();
