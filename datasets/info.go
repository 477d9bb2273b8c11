package datasets

// Info sums up a dataset.
type Info struct {
	Schema   string   `json:"schema"`
	Digest   string   `json:"digest"` // sha256:…, of the uncompressed stream
	Seed     uint64   `json:"seed"`
	Settings Settings `json:"settings"`
	Counts
	Functions  int64 `json:"functions"`   // deployments with a functions stage
	Assets     int64 `json:"assets"`      // distinct ones
	AssetBytes int64 `json:"asset_bytes"` // of the distinct assets
	TableBytes int64 `json:"table_bytes"` // of all routing tables as JSON
}

// Counts close the stream; a stream that holds other counts is refused.
type Counts struct {
	Projects    int64 `json:"projects"`
	Deployments int64 `json:"deployments"`
	Hostnames   int64 `json:"hostnames"`
}

// addProject counts a project and the braces of its routing table. The comma
// that its last entry lacks is one of them.
func (i *Info) addProject() {
	i.Projects++
	i.TableBytes++
}

// add counts a deployment; changed are the assets that its predecessor did
// not have.
func (i *Info) add(p *Project, d *Deployment, changed []Asset) {
	i.Deployments++
	i.Hostnames += int64(len(d.Branches)) + 1
	if d.Production {
		i.Hostnames += int64(len(p.Domains)) + 1
	}
	for _, s := range d.Stages {
		if s.Name == StageFunctions {
			i.Functions++
		}
	}
	i.TableBytes += int64(p.entryBytes(d))
	i.Assets += int64(len(changed))
	for _, a := range changed {
		i.AssetBytes += a.Bytes
	}
}
