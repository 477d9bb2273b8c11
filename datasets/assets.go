package datasets

import "strconv"

// Median sizes of the kinds of assets, bytes as transferred.
const (
	documentBytes = 12 << 10
	styleBytes    = 8 << 10
	scriptBytes   = 24 << 10
	fontBytes     = 24 << 10
	imageBytes    = 20 << 10
)

// site holds the assets of a project's latest deployment.
type site struct {
	assets  []Asset
	medians []int64
}

// newSite lays out a project of 18 to 25 assets, a quarter of them documents.
func newSite(draws *Draws) *site {
	s := &site{}
	s.add("/", documentBytes)
	s.add("/assets/app.css", styleBytes)
	s.add("/assets/app.js", scriptBytes)
	s.add("/assets/vendor.js", scriptBytes)
	s.add("/assets/text.woff2", fontBytes)
	for n := 18 + int(draws.Below(8)); len(s.assets) < n; {
		i := len(s.assets)
		number := strconv.Itoa(i)
		switch i % 4 {
		case 0:
			s.add("/pages/"+number+"/", documentBytes)
		case 1:
			s.add("/assets/chunk-"+number+".js", scriptBytes)
		default:
			s.add("/images/"+number+".webp", imageBytes)
		}
	}
	return s
}

func (s *site) add(path string, median int64) {
	s.assets = append(s.assets, Asset{Path: path})
	s.medians = append(s.medians, median)
}

// deploy draws the next deployment's assets and returns those that differ from
// its predecessor's: all of the first one, then the first document and one in
// sixteen of the others.
func (s *site) deploy(draws *Draws, first bool) []Asset {
	var changed []Asset
	for i := range s.assets {
		if !first && i > 0 && !draws.oneIn(16) {
			continue
		}
		s.assets[i].Digest = hexText(draws, 32)
		s.assets[i].Bytes = assetBytes(draws, s.medians[i])
		changed = append(changed, s.assets[i])
	}
	return changed
}
