import { EVENT_FIELDS, type LogEvent } from './log.ts';

/** Hashes a log record by record; equal runs give equal hashes, which is what CK-27 compares (Cell specification 12). */
export class LogHasher {
  // Two lanes with different offsets and primes: 64 bits, so that a chance collision stays out of reach of a campaign.
  private low = 0x811c9dc5;
  private high = 0x9e3779b9;

  /** Adds one record, all fields in the format's order. */
  event(e: LogEvent): void {
    // A record is an object of exactly the fields of its kind.
    const values = e as unknown as Record<string, unknown>;
    this.mixNumber(e.t);
    this.mixNumber(e.n);
    this.mixText(e.ev);
    const fields = EVENT_FIELDS[e.ev];
    if (fields === undefined) return;
    for (const field of fields) this.mix(values[field]);
  }

  /** The hash of the records so far: 16 hexadecimal digits. */
  digest(): string {
    return [this.high, this.low].map((lane) => (lane >>> 0).toString(16).padStart(8, '0')).join('');
  }

  private mix(value: unknown): void {
    if (typeof value === 'number') this.mixNumber(value);
    else if (typeof value === 'string') this.mixText(value);
    else if (Array.isArray(value)) {
      this.mixWord(value.length ^ 0x5bd1e995);
      for (const item of value) this.mix(item);
    } else this.mixWord(value === null ? 0x6e756c6c : 0x766f6964);
  }

  private mixText(value: string): void {
    this.mixWord(value.length);
    for (let i = 0; i < value.length; i++) this.mixWord(value.charCodeAt(i));
  }

  private mixNumber(value: number): void {
    this.mixWord(value | 0);
    // Cycles may pass 2^31; the upper half tells them apart.
    if (value !== (value | 0)) this.mixWord(Math.floor(value / 0x1_0000_0000));
  }

  /** FNV-1a a word at a time; the rotation brings the upper bits back into play. */
  private mixWord(word: number): void {
    const low = Math.imul(this.low ^ word, 0x01000193);
    this.low = (low << 13) | (low >>> 19);
    const high = Math.imul(this.high ^ word, 0x85ebca6b);
    this.high = (high << 17) | (high >>> 15);
  }
}

/** The hash of a whole log, 16 hexadecimal digits; two runs of one configuration, programs and seed have equal ones (CK-27, Cell specification 12). */
export function logHash(events: Iterable<LogEvent>): string {
  const hasher = new LogHasher();
  for (const event of events) hasher.event(event);
  return hasher.digest();
}
