import { mkdirSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { main } from '../../cli/main.ts';
import { ProcessTerminal } from '../../cli/terminal.ts';
import { startBrowser } from './browser.ts';

/*
 * `npm run pictures:viewer`: makes the pictures of the guide from the real page.
 */

const folder = 'out/viewer-pictures';
mkdirSync(folder, { recursive: true });
const file = `${folder}/paxos.html`;
await main(['view', 'scenarios/protocols/paxos.yaml', '--html', file], new ProcessTerminal());
const browser = await startBrowser();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
await page.goto(`${pathToFileURL(file).href}#at=9&actor=Server[1]&panel=message&axis=order`);
await page.locator('.chart rect.inner').waitFor();
await page.screenshot({ path: 'docs/viewer.png' });
await browser.close();
