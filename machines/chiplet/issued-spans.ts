import type { ChipletShown } from '../../actors/chiplet/gpu/protocol.ts';
import type { InstructionClass } from '../../actors/chiplet/ptx/instruction.ts';
import type { SpanRecord } from './system-timeline.ts';

/** Cycles between two instructions that are drawn as one span when they are of one sort. */
const gapCycles = 16;

/** The sort of a class of instructions, as a timeline tells it; messages have spans of their own. */
function sortOf(kind: InstructionClass): string | undefined {
  if (kind === 'message') return undefined;
  if (kind === 'special' || kind === 'control') return kind;
  if (kind.startsWith('int')) return 'integer';
  if (kind.startsWith('float') || kind.startsWith('double')) return 'real';
  return 'memory';
}

/** Instructions of warps as spans of a timeline: those of one sort, one soon after the other, are one. */
export class IssuedSpans {
  readonly #open = new Map<string, SpanRecord>();

  constructor(readonly take: (span: SpanRecord) => void) {}

  /** A warp has issued; `cycles` are those of its chiplet, `time` gives them in cycles of the network. */
  issued(
    chiplet: number,
    row: string,
    { class: kind, text, cycle }: ChipletShown<'warp.issued'>,
    time: (cycle: number) => number,
  ): void {
    const what = sortOf(kind);
    if (what === undefined) return;
    const key = `${chiplet} ${row}`;
    const last = this.#open.get(key);
    const [from, to] = [time(cycle), time(cycle + 1)];
    if (last?.what === what && from - last.to <= gapCycles) {
      this.#open.set(key, { ...last, to, instructions: last.instructions! + 1 });
      return;
    }
    if (last) this.take(last);
    this.#open.set(key, { chiplet, row, what, from, to, instructions: 1, text });
  }

  /** A kernel of a chiplet has ended: so have the spans of its warps. */
  end(chiplet: number): void {
    for (const [key, span] of this.#open) {
      if (span.chiplet !== chiplet) continue;
      this.take(span);
      this.#open.delete(key);
    }
  }
}
