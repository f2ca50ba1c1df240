/** The machines that `scenarios/protocols` is of. */
export const smallProtocols = [
  'two-phase-commit',
  'recoverable-commit',
  'register',
  'mutual-exclusion',
  'single-copy',
  'abd',
  'paxos',
  'ping-pong',
];
