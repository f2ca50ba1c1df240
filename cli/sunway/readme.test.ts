import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { publishedPoints } from '../../machines/sunway/calibration/published-points.ts';

const readme = readFileSync('machines/sunway/README.md', 'utf8');

test('the README of the Sunway machine names every scenario', () => {
  const files = readdirSync('scenarios/sunway').filter((file) => file.endsWith('.yaml'));

  for (const file of files) expect(readme).toContain(`\`${file.replace('.yaml', '')}\``);
});

test('it tells how many published points the calibration has', () => {
  expect(readme).toContain(`${publishedPoints.length} points, all within the tolerance`);
});
