import type { Run } from '../../kernel/run.ts';

/** Takes the next piece of text of an export. */
export type Write = (text: string) => void;

/** How a run is shown. */
export interface ExportOptions {
  /** How many messages, ticks or changes; the exporter's own limit when absent. */
  readonly limit?: number;
  /** Characters that an export of whole states may have; the exporter's own when absent. */
  readonly sizeMax?: number;
  /** How long a tick of the machine is, in femtoseconds; ticks stand for themselves when absent. */
  readonly tickFemtoseconds?: number;
}

/** An export under way. */
export interface Export {
  /** Writes what is left. Call it once, after the run. */
  end(): void;
  /** After the end: where the file stops short of the run because it would have been too large, and what to do about it. */
  readonly cut?: string | undefined;
}

/** A way to show a run to another tool. */
export interface Exporter {
  /** One sentence for lists: what opens the file. */
  readonly summary: string;
  /** The usual end of a file's name, without the dot. */
  readonly extension: string;
  /** How many messages, ticks or changes are shown by default, and what they are; the file says so when there were more, where its format has a place for that. */
  readonly limit: { readonly count: number; readonly of: string };
  /** Begins an export: call it before the first step of the run. Text goes to `write` as soon as it is known. */
  attach(run: Run, write: Write, options?: ExportOptions): Export;
}

/** Begins an export whose whole text is kept: the function that is returned ends it and gives the text. */
export function exportText(exporter: Exporter, run: Run, options?: ExportOptions): () => string {
  const pieces: string[] = [];
  const begun = exporter.attach(run, (text) => pieces.push(text), options);
  return () => {
    begun.end();
    return pieces.join('');
  };
}
