/** Programs by the tokens in user agents. A program whose user agent also has tokens of others comes before them. */
const programs = [
  [/\bEdg(?:A|iOS)?\//, 'Edge'], [/\bOPR\//, 'Opera'], [/\bSamsungBrowser\//, 'Samsung Internet'], [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'], [/\bVersion\/[\d.]+.*\bSafari\//, 'Safari'], [/^curl\//, 'curl'], [/^mememe/i, 'MemeMe'],
];

const systems = [
  [/\biPhone\b/, 'iPhone'], [/\biPad\b/, 'iPad'], [/\bAndroid\b/, 'Android'], [/\bWindows\b/, 'Windows'], [/\bMac OS X\b/, 'Mac'],
  [/\bCrOS\b/, 'ChromeOS'], [/\bLinux\b/, 'Linux'],
];

/** A readable name for the user agent of a session, such as "Firefox on Linux". */
export function deviceName(userAgent) {
  if (!userAgent) return 'Unknown device';
  const find = (table) => table.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [program, system] = [find(programs), find(systems)];
  if (program) return system ? `${program} on ${system}` : program;
  return system ?? userAgent.slice(0, 60);
}

/** Whether the device is a handheld one. */
export const isPhone = (userAgent) => /\b(?:iPhone|Android|Mobile)\b/.test(userAgent ?? '');
