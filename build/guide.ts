import { execFile } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { build, serve } from 'vitepress';
import { deadLinks } from './guide/links.ts';
import { writeCommandLineReference } from './guide/reference-command-line.ts';
import { errorsPage } from './guide/reference-errors.ts';
import { scenariosPage } from './guide/reference-scenarios.ts';
import { writePages } from './guide/source.ts';

/**
 * Makes the site of the guide in `out/guide/site`: `npm run docs`. Pages of `docs/`, with their tables and pictures, and the reference of API,
 * command line, scenario files and error codes from where these are declared. Ends with exit code 1 for a link or an anchor that leads nowhere.
 * `npm run docs -- --serve` shows it afterwards on a port of this machine; `-- --drawn` takes the pictures that `npm test` has just drawn.
 */
const folder = 'out/guide';
const source = `${folder}/source`;
const site = `${folder}/site`;

const began = performance.now();
const tell = (what: string): void =>
  console.log(`${((performance.now() - began) / 1000).toFixed(1).padStart(5)} s  ${what}`);

rmSync(folder, { recursive: true, force: true });
mkdirSync(`${source}/reference`, { recursive: true });
const api = promisify(execFile)(process.execPath, [
  '--import',
  'tsx',
  'build/guide/write-api-reference.ts',
  `${folder}/api`,
  `${source}/reference/api`,
]);
await writePages(source, process.argv.includes('--drawn'));
tell('pages, their tables and pictures');
await writeCommandLineReference(`${source}/reference/command-line`);
writeFileSync(`${source}/reference/errors.md`, errorsPage());
writeFileSync(`${source}/reference/scenario-files.md`, await scenariosPage());
tell('reference of the command line, error codes, scenario files');
await api;
tell('reference of the API');
await build('docs');
tell('site');
const { pages, links, dead } = deadLinks(site);
for (const { page, href, why } of dead) console.error(`${page}: ${href}: ${why}`);
tell(`${pages} pages, ${links} links, ${dead.length} dead`);
if (dead.length > 0) process.exitCode = 1;
else if (process.argv.includes('--serve')) {
  await serve({ root: 'docs' });
}
