import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** Where a Chromium of this computer is; `LOCKSTEP_CHROMIUM` names another one. Undefined where there is none. */
export const chromiumHere: string | undefined = [process.env['LOCKSTEP_CHROMIUM'], ...places].find(
  (path) => path !== undefined && existsSync(path),
);

/** A browser of this computer. Errors: where there is none. */
export function startBrowser(): Promise<Browser> {
  if (chromiumHere === undefined) throw new Error(`found no Chromium at ${places.join(', ')}`);
  return chromium.launch({ executablePath: chromiumHere, args: ['--no-sandbox'] });
}
