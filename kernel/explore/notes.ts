import { invariant, KernelError } from '../errors.ts';
import type { Address, LockstepEvent, Post, Probe, Report } from '../message.ts';
import type { Port } from '../port.ts';
import type { Befallen } from './fault-branches.ts';

/** A post as it was put out. */
export interface Posted {
  readonly to: Address;
  readonly delay: number;
  readonly event: LockstepEvent;
}

/** Writes down what an actor puts out, and passes its questions on. */
export class Notes implements Port {
  readonly posts: Posted[] = [];
  readonly reports: Report[] = [];
  readonly probes: Probe[] = [];

  constructor(
    readonly name: string,
    private readonly ask: (count: number) => number,
    readonly observed: boolean,
    /** What faults make of a post, where there are some. */
    private readonly befall?: (to: Address, delay: number, event: LockstepEvent) => readonly Befallen[],
  ) {}

  post(message: Post): void {
    this.send(message.to, message.delay, message);
  }

  send(to: Address, delay: number | undefined, message: Post): void {
    if (delay !== undefined && (!Number.isSafeInteger(delay) || delay < 0))
      throw new KernelError('KRN006', this.name, `the delay of "${message.type}" is ${delay}`);
    if (!(to >= 0))
      throw new KernelError('KRN005', this.name, `"${message.type}" was posted to address ${to}`);
    if (delay !== undefined && delay >= 2 ** 32)
      throw new KernelError('KRN012', this.name, `the delay of "${message.type}" is ${delay}`);
    if (this.befall) {
      for (const befallen of this.befall(to, delay ?? 0, message)) this.posts.push({ to, ...befallen });
    } else this.posts.push({ to, delay: delay ?? 0, event: message });
  }

  pick(what: string, count: number): number {
    if (count === 1) return 0;
    invariant(Number.isSafeInteger(count) && count > 1, `"${what}" of ${this.name} has ${count} answers`);
    return this.ask(count);
  }

  probe(probe: Probe): void {
    this.probes.push(probe);
  }

  report(report: Report): void {
    this.reports.push(report);
  }
}
