import {
  type ChannelPair,
  delist,
  enlist,
  freeChannels,
  hasPlace,
  portOf,
  type RouterContext,
} from './router-context.ts';

/*
 * Stages 3 and 2 of a router, in which requests compete (chiplet specification 5.4). Each goes in two steps: requests are made, then each output
 * takes one of those made to it. A step serves one channel or port after the other; where there is more than one to choose from, the
 * router draws.
 */

/** Input channels that may have the switch: with a place behind their channel, and room for a flit at its port. */
const ready = (router: RouterContext): readonly ChannelPair[] =>
  router.competing.filter((one) => {
    if (!hasPlace(router, one)) return false;
    const port = portOf(router, one.output);
    return router.spec.value.spec.outputDepth > 1 || !router.leaving.some((flit) => flit.port === port);
  });

/** Stage 3: all input ports have to propose one of their channels. */
export function beginSwitchAllocation(router: RouterContext): void {
  router.requests = [];
  router.serving = [...new Set(ready(router).map(({ input }) => portOf(router, input)))];
}

/** The channels of the next input port that are ready. */
export function gatherProposals(router: RouterContext): void {
  const port = router.serving.shift()!;
  router.choices = ready(router).filter(({ input }) => portOf(router, input) === port);
}

/** One of the choices becomes a request. */
export function request(router: RouterContext, pick: number): void {
  router.requests.push(router.choices[pick]!);
}

/** All input ports have proposed: each output port has to take one proposal. */
export function beginGrants(router: RouterContext, targetOf: (request: ChannelPair) => number): void {
  router.serving = [...new Set(router.requests.map(targetOf))].sort((one, other) => one - other);
}

/** The requests for the next output. */
export function gatherRequests(router: RouterContext, targetOf: (request: ChannelPair) => number): void {
  const target = router.serving.shift()!;
  router.choices = router.requests.filter((one) => targetOf(one) === target);
}

/** An input channel gets the switch. */
export function grantSwitch(router: RouterContext, { input, output }: ChannelPair): void {
  delist(router.competing, input);
  enlist(router.granted, { input, output });
}

/** Stage 2: all input channels that need an output channel, and may have one that is free, have to ask for one. */
export function beginChannelAllocation(router: RouterContext): void {
  router.requests = [];
  router.serving = router.wanting
    .filter((one) => freeChannels(router, one).length > 0)
    .map(({ input }) => input);
}

/** The free channels that the next input channel may ask for. */
export function gatherChannels(router: RouterContext): void {
  const input = router.serving.shift()!;
  const one = router.wanting.find((wanted) => wanted.input === input)!;
  router.choices = freeChannels(router, one).map((output) => ({ input, output }));
}

/** The halves of the vector of all requests of the cycle; requester number 8 has a second bit in the original, a slip that is kept (chiplet specification 5.9). */
export function requestVector({ requests }: RouterContext): readonly [lower: number, upper: number] {
  let lower = 0;
  let upper = 0;
  for (const { input } of requests) {
    if (input < 32) lower |= input === 8 ? 258 : 1 << input;
    else if (input < 64) upper |= 1 << (input - 32);
  }
  return [lower, upper];
}
