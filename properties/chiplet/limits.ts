/** Keys that networks alone and networks of systems have alike, but for `strict`. */
export const networkKeys = (strict: boolean): string => `network.c 1..4 = 2
network.V 1..32 = 2
network.B 1..4096 = 64
network.O 1..4096 = 4
network.F 1..64 = 4
network.L 0.. = 1000
network.T 0..1000000000000 = 1000000000
network.R 0..5 = 0
network.seed -2147483648..4294967295 = 1
network.ties = "fifo" of fifo heap legosim
network.firstStart of trace zero
network.random = "shared" of shared perRouter
network.strict = ${strict}
network.loss = false
network.correctWires = false
network.detail = "auto" of auto channel router`;

/** Limits and defaults of the configuration, as `limitsOf` and `fixedIn` write them. */
export const networkLimits = `
network.A 1..4096 = 8
${networkKeys(true)}
patterns: uniform, hotspot, transpose, complement, tornado, neighbour, allToAll, ring
routings: chipletMesh 2, graph 4, mesh 0, reconfigurable 5, star 3, torus 1
`;
