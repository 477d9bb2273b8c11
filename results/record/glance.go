package record

// Glance reads the manifest and the summary of a run and nothing else: what a
// list of many runs needs. Errors are those of Open.
func Glance(dir string) (*Folder, error) {
	f := &Folder{Dir: dir}
	if err := f.readManifest(); err != nil {
		return nil, err
	}
	if err := f.readSummary(); err != nil {
		return nil, err
	}
	return f, nil
}
