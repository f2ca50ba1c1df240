/**
 * Why a state machine has a single state, by the name that `lockstep diagram` has for it.
 *
 * Details: a part that keeps bytes or forwards what comes has nothing that a diagram could show; everything else is to have states. Fast twins need no reason: their
 * explicit twin has the states.
 */
export const singleStates: Readonly<Record<string, string>> = {
  'sunway/ldm':
    'it keeps bytes and answers at once; whoever waits for a word is its CPE, whose state says so',
  'sunway/network/paiu': 'it hands each message on after a fixed time; what waits in it is a queue',
  'sunway/node-cross': 'words that cores add to: whoever waits for a round is a core, whose state says so',
  'sunway/ring': 'it hands each message on after a fixed time and keeps nothing',
  'sunway/services/sio-proxy': 'it hands each request on after a fixed time and keeps nothing',
};
