/** Characters of a word or a gap, and of a line, of which all are told. */
const [wordMax, lineMax] = [400, 2000];

/** A text for a terminal: characters that it would obey are told by their numbers, line ends and tabs stay. */
export const plainText = (text: string): string =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are looked for.
  text.replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029]/g, escaped);

/** An error as a person can read it: plain, and of a word or a line without end, which a damaged file may have, the beginning and the end. */
export const tellable = (message: string): string =>
  plainText(message)
    .split('\n')
    .map((line) =>
      shortened(
        line.replace(/\S{401,}|\s{401,}/g, (word) => shortened(word, wordMax)),
        lineMax,
      ),
    )
    .join('\n');

const escaped = (char: string): string => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = Math.floor(most / 4);
  const start = most - end - 40;
  return `${text.slice(0, start)}… (${text.length - start - end} more characters) …${text.slice(-end)}`;
}
