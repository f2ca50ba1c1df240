import { expect, test } from 'vitest';
import { erbProgram } from '../machines/grape/macros/erb.ts';
import { LocatedDocument } from '../scenarios/located-document.ts';
import { tellable } from './tellable.ts';

test('an error obeys no character of a file, and shortens what has no end', () => {
  expect(tellable('found "\u001b[2J\0"\n\thelp')).toBe('found "\\u001b[2J\\u0000"\n\thelp');
  expect(tellable(`a.yaml:1:1 found "${'9'.repeat(200_000)}"\n  help: less`)).toMatch(
    /^a\.yaml:1:1 found "9+… \(\d+ more characters\) …9+"\n {2}help: less$/,
  );
  expect(tellable(' '.repeat(200_000)).length).toBeLessThan(500);
  expect(tellable('1 2 '.repeat(100_000)).length).toBeLessThan(2100);
});

test('values chained in one line are refused at a limit, not by the end of the stack', () => {
  const { errors } = new LocatedDocument(`a: ${'b: c '.repeat(20_000)}`, 'a.yaml');

  expect(errors.map(({ code }) => code)).toEqual(['SCN005']);
});

test('a template of tags that never end is read in proportion to its length', () => {
  const began = process.cpuUsage();
  erbProgram('<%= '.repeat(50_000));
  const { user } = process.cpuUsage(began);

  expect(user / 1e6).toBeLessThan(2);
});
