import { gzipSync } from 'node:zlib';
import type { Project } from '../../cli/known-machines.ts';
import { bundledInOne, pageItself } from './bundle.ts';
import { Charts } from './charts.ts';
import type { Found } from './served.ts';

const begin = (title: string, more: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="icon" href="data:,">
${more}
</head>
<body>
<div id="app"></div>
<noscript>This page runs the simulator: it needs JavaScript.</noscript>
`;

/** The page without anything in it; scripts and styles come as files beside it. */
export const pageText = `${begin('Lockstep', '<link rel="stylesheet" href="page.css">')}<script type="module" src="page.js"></script>
</body>
</html>
`;

/** What a page may load: what came with it, and nothing else. */
export const contentPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; worker-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'";

/** What the simulator may do: it makes functions of the tables of actors and of kernels; it reaches nothing and no page. */
export const simulatorPolicy = "default-src 'none'; script-src 'self' 'unsafe-eval'";

/** The same for a page that is one file, whose simulator has no policy of its own: it may load nothing at all. */
const ownPolicy =
  "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval' blob:; style-src 'unsafe-inline'; worker-src blob:; img-src data:; form-action 'none'; base-uri 'none'";

/**
 * A page with everything in it: simulator, scenario or recording, statecharts. It opens from disk, without a server and without a network.
 *
 * Details: the simulator is packed; a list has none.
 */
export async function pageInOne(
  { kind, found }: Found,
  { machines }: Pick<Project, 'machines'>,
): Promise<string> {
  const files = kind === 'run' ? await bundledInOne(found.modules) : await pageItself();
  const text = (name: string): string => Buffer.from(files.get(name)!).toString('utf8');
  // Nothing inside a script may look like its end.
  const data = (id: string, value: unknown) =>
    `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>\n`;
  const policy = `<meta http-equiv="content-security-policy" content="${ownPolicy}">`;
  const inside =
    kind === 'run'
      ? [
          data('opening', found.opening),
          data('charts', await new Charts(found.scenario, machines).all()),
          `<script type="text/plain" id="simulator">${gzipSync(files.get('simulator.js')!, { level: 9 }).toString('base64')}</script>\n`,
        ]
      : [data('opening', found.catalogue)];
  return `${begin('Lockstep', `${policy}<style>${text('page.css')}</style>`)}${inside.join('')}<script type="module">${text('page.js').replaceAll('</script', '<\\/script')}</script>
</body>
</html>
`;
}
