/** What came of a case. */
export interface Ended {
  readonly exitCode: number | null;
  readonly out: string;
  readonly err: string;
  /** Seconds of processor time that it took, and the most of these without a word of progress. */
  readonly seconds: number;
  readonly silentSeconds: number;
  /** Names in the folder afterwards, and those of its files that were changed. */
  readonly left: readonly string[];
  readonly changed: readonly string[];
}

/** Seconds of processor time that may pass without a word. */
export const silentSecondsMax = 30;

/** Exit codes that a verb may end with (docs/exit-codes.md). */
function codesOf([one, two]: readonly string[]): readonly number[] {
  if (one === 'cell' && two === 'check') return [0, 1, 2, 3, 4, 64];
  return [0, 1, 2, 130];
}

/** What no user should see: stacks, and messages that speak of the program instead of what it was given. */
const leaks: readonly RegExp[] = [
  /^\s+at .+[:(].+:\d+:\d+\)?$/m,
  /defect of Lockstep/i,
  /Maximum call stack/,
  /Cannot read propert|is not a function|is not iterable|of undefined|of null \(/,
  /\[object Object\]/,
  /9007199254740991/,
  /ZodError|TypeError|RangeError|Invalid array length|Invalid string length|Array buffer allocation/,
  /heap out of memory/,
];

/** What is wrong with how a case ended; nothing when it ended as documented. */
export function faultsOf(args: readonly string[], ended: Ended, input = ''): readonly string[] {
  const { exitCode, out, err, silentSeconds, left, changed } = ended;
  // An object for scripts holds numbers as they are.
  const told = args.includes('--json') ? err : `${out}\n${err}`;
  // What the user wrote may be told again.
  const ownWords = `${args.join('\n')}\n${input}`;
  const faults: string[] = [];
  if (exitCode === null || !codesOf(args).includes(exitCode)) faults.push(`exit code ${exitCode}`);
  if (silentSeconds > silentSecondsMax)
    faults.push(`${silentSeconds.toFixed(0)} s of processor time without progress`);
  for (const leak of leaks) {
    const found = leak.exec(told)?.[0].trim();
    if (found !== undefined && !ownWords.includes(found)) faults.push(`tells "${found.slice(0, 60)}"`);
  }
  if (exitCode === 2 && err.trim() === '') faults.push('exit code 2 without a word');
  if (
    args.includes('--json') &&
    !isOneObject(out) &&
    !args.some((word) => /^(--help|-h|-\?|help|--version|--help=x)$/.test(word))
  )
    faults.push(`--json gives ${out === '' ? 'nothing' : 'something else than one JSON object'}`);
  for (const name of left) if (name.endsWith('.part')) faults.push(`leaves ${name}`);
  for (const name of changed) faults.push(`changes ${name}`);
  return faults;
}

function isOneObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null;
  } catch {
    return false;
  }
}
