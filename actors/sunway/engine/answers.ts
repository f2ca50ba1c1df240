import type { Outbox } from '../../../kernel/kit.ts';
import type { Address } from '../../../kernel/message.ts';
import { memberOf } from '../../../kernel/wiring.ts';
import { takeMember } from '../members.ts';
import type { LdmData, RmaRead } from '../messages.ts';
import { bare, type Serving } from './serving.ts';
import type { AnswerOpen } from './within.ts';

/*
 * What engines of both levels of detail do with the gets of other engines (specification 8.4): each is answered by an actor inside the engine.
 */

/** An engine that answers others. */
export interface Answering extends Serving {
  /** By transfer: the actors that answer other engines. */
  answers: Map<number, Address>;
  /** Members of the family of answers that are in use, ascending. */
  used: number[];
}

/** Another engine asks for bytes. */
export function openAnswer(c: Answering, request: RmaRead, out: Pick<Outbox<AnswerOpen>, 'post'>): void {
  const to = memberOf(c.spec.value.answers, takeMember(c.used));
  c.answers.set(request.transfer, to);
  const { jitter, sides } = c;
  out.post({ to, type: 'answer.open', request: bare(request), jitter, freeAt: sides.rma.freeAt });
}

export function occupyWithAnswer({ sides }: Answering, { freeAt }: { readonly freeAt: number }): void {
  sides.rma.freeAt = freeAt;
}

/** An answer is over: its place is free again. */
export function closeAnswer(c: Answering, { transfer }: { readonly transfer: number }): void {
  const member = c.answers.get(transfer)! - c.spec.value.answers;
  c.answers.delete(transfer);
  c.used = c.used.filter((one) => one !== member);
}

/** Bytes that were read, for whoever answers with them. */
export const toAnswer = (c: Answering, { tag, data }: LdmData) =>
  ({ to: c.answers.get(tag)!, type: 'transfer.source', data }) as const;
