package experiment

import "path/filepath"

// localName tells whether a file name stays inside the folder it is joined to.
func localName(name string) bool { return filepath.IsLocal(name) && name != "." }
