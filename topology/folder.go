package topology

import "os"

// rootFolder is the portable folder: it stays below dir, at a price.
func rootFolder(dir string) (source, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootSource{fsSource{root.FS()}, root}, nil
}

type rootSource struct {
	fsSource
	root *os.Root
}

func (s rootSource) close() { s.root.Close() }
