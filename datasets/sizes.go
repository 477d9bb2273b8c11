package datasets

// tailSize draws the deployments of a project of the tail: the Pareto law with
// exponent 1 (a share of 1/n has n or more), without the sizes of 100 and
// above. Its mean is about 4.2.
func tailSize(draws *Draws) int {
	for {
		n := (1 << 32) / (1 + draws.Below(1<<32))
		if n < 100 {
			return int(n)
		}
	}
}

// spread holds 1,024 × e^z at the quantiles k/32 of the standard normal law
// (0.2 % and 99.8 % at the ends): a log-normal law without floating point.
func spread(k uint64) int64 {
	return [...]int64{58, 159, 221, 274, 324, 373, 422, 471, 522, 574, 628, 685, 745, 808, 875, 947, 1024,
		1108, 1198, 1298, 1408, 1531, 1669, 1827, 2010, 2226, 2486, 2811, 3235, 3826, 4749, 6596, 18208}[k]
}

// assetBytes draws the size of an asset from the log-normal law of a median
// and σ = 1, straight between the quantiles of spread.
func assetBytes(draws *Draws, median int64) int64 {
	k, between := draws.Below(32), int64(draws.Below(1024))
	low, high := spread(k), spread(k+1)
	return median * (low*1024 + (high-low)*between) >> 20
}
