/** Programs, by what stands in their names for themselves; those whose names have those of others in them go first. */
const programs = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'], [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'], [/^curl\//, 'curl'], [/^mememe/i, 'MemeMe'],
];

const systems = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'], [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'], [/\bLinux\b/, 'Linux'],
];

/** "Firefox on Linux", for what a client called itself when it signed in. */
export function deviceName(userAgent) {
  if (!userAgent) return 'Unknown device';
  const find = (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [program, system] = [find(programs), find(systems)];
  if (program) return system ? `${program} on ${system}` : program;
  return system ?? userAgent.slice(0, 60);
}

/** Whether it is one that is held in a hand. */
export const isPhone = (userAgent) => /\b(?:iPhone|Android|Mobile)\b/.test(userAgent ?? '');
