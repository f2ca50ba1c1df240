/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const interchipletLimits = `
rounds 1..1000 = 5
error 0..1 = 0.005
networkRate >0.. = 1
flitBytes 8..8192 = 64
delay = []
previousCycles 0..
`;
