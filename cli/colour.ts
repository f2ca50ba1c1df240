import { styleText } from 'node:util';

/*
 * Colours of what is told to people, line by line. They are put on where the text leaves the process, so that nothing else knows of them, and say nothing that the words do not.
 */

type Style = Parameters<typeof styleText>[0];

/** What a line is recognised by, and the style of what the first group has matched. */
const rules: readonly (readonly [RegExp, Style])[] = [
  // The verdict of a run, a check or a comparison.
  [/^.*\([\w./#-]+\): ((?:violated|deadlock|livelock|error)\b.*)$/, ['red', 'bold']],
  [/^.*\([\w./#-]+\): (ok so far\b.*|nothing found so far\b.*)$/, ['yellow', 'bold']],
  [/^.*\([\w./#-]+\): (ok\b.*)$/, ['green', 'bold']],
  [/^.*: (no failure in .*)$/, ['green', 'bold']],
  [/^.*: (\d+ kinds? of failure in .*)$/, ['red', 'bold']],
  [/^(passed) /, 'green'],
  [/^(FAILED) /, ['red', 'bold']],
  // What was found.
  [/^((?:failure \d+, )?(?:violated|deadlock|livelock|error)\b.*)$/, 'red'],
  [/^ +(✗.*)$/, 'red'],
  [/^(not as .* expects:)$/, 'red'],
  // What is open, and what differs from a run that passes.
  [/^(open:|NOT judged.*|of .*, what they look at came in no run:|WARNING:.*)$/, 'yellow'],
  [/^ +\d+ (≠) /, 'yellow'],
  // What to do next.
  [/^(?:replay it|explain it|go on with): (.*)$/, 'cyan'],
  [/^(lockstep:) /, ['red', 'bold']],
  [/^ {2}(help:) /, 'cyan'],
];

/** A text for people with colours. Data stays as it is. */
export const coloured = (text: string): string =>
  // JSON is data; other data is not recognised.
  text.startsWith('{') ? text : text.split('\n').map(colouredLine).join('\n');

function colouredLine(line: string): string {
  for (const [pattern, style] of rules) {
    const [whole, part] = pattern.exec(line) ?? [];
    if (whole === undefined || part === undefined) continue;
    const at = line.lastIndexOf(part);
    // Whether the terminal shows colours was asked before.
    const styled = styleText(style, part, { validateStream: false });
    return line.slice(0, at) + styled + line.slice(at + part.length);
  }
  return line;
}

/** True when a stream is a terminal that shows colours, and the user wants them: `NO_COLOR` and `FORCE_COLOR` are obeyed. */
export const showsColours = (
  // What stands for a terminal need not know of colours.
  stream: Pick<NodeJS.WriteStream, 'isTTY'> & Partial<Pick<NodeJS.WriteStream, 'hasColors'>>,
): boolean => stream.isTTY === true && stream.hasColors?.() === true;
