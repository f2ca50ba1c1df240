import { type ExplanationOrder, explanationTexts, judgedRecording } from '../explanation-texts.ts';
import { openCampaign } from '../fuzz/order.ts';
import { type FindingOrder, simplifiedFinding } from '../fuzz/simplified-finding.ts';
import { serveBatches } from '../threads/serve-batches.ts';
import { orderOfThread } from '../threads/thread.ts';
import { SharedHeed } from './heed.ts';

/* What a thread runs that does long work while the command hears of signals. */

/** Work in words that another thread can be told. */
export type BackgroundOrder =
  | ({ readonly kind: 'finding' } & FindingOrder)
  | ({ readonly kind: 'explanation' } & ExplanationOrder);

const order = orderOfThread<BackgroundOrder & { readonly memory: SharedArrayBuffer }>();
const heed = new SharedHeed(order.memory);

serveBatches(async () =>
  order.kind === 'finding'
    ? simplifiedFinding(await openCampaign(order.campaign), order, heed)
    : explanationTexts(await judgedRecording(order), order, heed),
);
