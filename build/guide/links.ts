import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { posix } from 'node:path';

/** A link of the site that leads nowhere. */
export interface DeadLink {
  /** Path of the page in the site. */
  readonly page: string;
  readonly href: string;
  readonly why: 'no such page' | 'no such place in the page' | 'a file of this machine';
}

/**
 * All links and pictures of a built site that lead nowhere within it: pages and files that there are not, and anchors that their page does not
 * have. Links to other sites are not followed.
 */
export function deadLinks(folder: string): {
  readonly pages: number;
  readonly links: number;
  readonly dead: readonly DeadLink[];
} {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.html'),
  );
  const anchors = new Map(pages.map((page) => [page, anchorsOf(readFileSync(`${folder}/${page}`, 'utf8'))]));
  const dead: DeadLink[] = [];
  let links = 0;
  for (const page of pages) {
    const html = readFileSync(`${folder}/${page}`, 'utf8');
    for (const [, href] of html.matchAll(/<(?:a|img)\b[^>]*? (?:href|src)="([^"]*)"/g)) {
      if (/^(https?:|mailto:|data:)/.test(href!)) continue;
      links++;
      const why = whyDead(folder, page, href!, anchors);
      if (why) dead.push({ page, href: href!, why });
    }
  }
  return { pages: pages.length, links, dead };
}

const anchorsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => decoded(id!)));

const decoded = (text: string): string =>
  decodeURIComponent(text.replaceAll('&amp;', '&').replaceAll('&lt;', '<').replaceAll('&quot;', '"'));

function whyDead(
  folder: string,
  page: string,
  href: string,
  anchors: ReadonlyMap<string, ReadonlySet<string>>,
): DeadLink['why'] | undefined {
  if (href.startsWith('file:')) return 'a file of this machine';
  const [path = '', hash = ''] = href.split('#');
  const file =
    path === ''
      ? page
      : fileOf(folder, path.startsWith('/') ? path.slice(1) : posix.join(posix.dirname(page), path));
  if (file === undefined) return 'no such page';
  if (hash === '' || !file.endsWith('.html')) return undefined;
  return anchors.get(file)?.has(decoded(hash)) ? undefined : 'no such place in the page';
}

/** The file that a server shows for a path; undefined when there is none. */
function fileOf(folder: string, path: string): string | undefined {
  const clean = decodeURIComponent(path.replace(/\?.*$/, ''));
  const candidates = [clean, `${clean}.html`, posix.join(clean, 'index.html')].map((one) =>
    posix.normalize(one),
  );
  return candidates.find((one) => existsSync(`${folder}/${one}`) && statSync(`${folder}/${one}`).isFile());
}
