/** Where a command writes: `out` is for data, `err` for people (design, section 7). */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** True when a person reads `err` as it is written. */
  readonly interactive: boolean;
  /** Characters in a line of `err`, at least 40. */
  readonly columns: number;
}

/** The streams of this process. */
export function processTerminal(): Terminal {
  const { stdout, stderr } = process;
  return {
    out: (text) => void stdout.write(text),
    err: (text) => void stderr.write(text),
    interactive: stderr.isTTY === true,
    columns: Math.max(40, stderr.columns ?? 100),
  };
}

/** A terminal that keeps what is written to it. */
export class KeptTerminal implements Terminal {
  stdout = '';
  stderr = '';
  constructor(
    readonly interactive = false,
    readonly columns = 100,
  ) {}
  out(text: string): void {
    this.stdout += text;
  }
  err(text: string): void {
    this.stderr += text;
  }
}
