import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { deadLinks } from './links.ts';

test('dead links and dead anchors are found, and living ones are not', () => {
  const folder = 'out/guide-links';
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(`${folder}/sub`, { recursive: true });
  writeFileSync(`${folder}/picture.svg`, '<svg/>');
  writeFileSync(
    `${folder}/a.html`,
    '<h2 id="here">a</h2><a class="x" href="#here">1</a><a href="/sub/b#there">2</a><img alt="" src="/picture.svg">',
  );
  writeFileSync(
    `${folder}/sub/b.html`,
    '<h2 id="there"></h2><a href="../a.html#gone">3</a><a href="/c.html">4</a><a href="https://example.org/c">5</a><img src="/none.svg">',
  );

  expect(deadLinks(folder)).toEqual({
    pages: 2,
    links: 6,
    dead: [
      { page: 'sub/b.html', href: '../a.html#gone', why: 'no such place in the page' },
      { page: 'sub/b.html', href: '/c.html', why: 'no such page' },
      { page: 'sub/b.html', href: '/none.svg', why: 'no such page' },
    ],
  });
});
